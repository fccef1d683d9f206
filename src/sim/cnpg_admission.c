/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cnpg_admission.h"

#include "base/text.h"
#include "sim/draft.h"
#include "sim/patch_merge.h"
#include "sim/value.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { NAME_CHARACTERS_MAX = 50 };

static const char *text_or(const char *text, const char *fallback)
{
    return text == NULL || text[0] == '\0' ? fallback : text;
}

/* Without a bootstrap, or with an initdb that says little: a database app of a role app. */
cJSON *cnpg_defaults(const cJSON *cluster)
{
    const cJSON *bootstrap = value_at(cluster, "spec", "bootstrap", NULL);
    const cJSON *initdb = value_at(bootstrap, "initdb", NULL);
    if (bootstrap != NULL && bootstrap->child != NULL && initdb == NULL) {
        return NULL;
    }
    const char *database = text_or(value_text(initdb, "database", NULL), "app");
    const char *owner = text_or(value_text(initdb, "owner", NULL), database);
    if (initdb != NULL && value_text(initdb, "encoding", NULL) != NULL &&
        value_text(initdb, "database", NULL) != NULL && value_text(initdb, "owner", NULL) != NULL) {
        return NULL;
    }
    return draft("{'spec':{'bootstrap':{'initdb':{'database':'$1','owner':'$2','encoding':'UTF8',"
                 "'localeCollate':'C','localeCType':'C'}}}}",
                 database, owner, NULL);
}

struct refusal {
    char *message;
    size_t message_bytes;
};

static bool refuse(const struct refusal *refusal, const char *field, const char *why)
{
    (void)snprintf(refusal->message, refusal->message_bytes, "%s: Invalid value: %s", field, why);
    return false;
}

/* A DNS-1035 label (validateName). */
static bool check_name(const cJSON *cluster, const struct refusal *refusal)
{
    const char *name = value_name(cluster);
    size_t length = strlen(name);
    bool is_label = length > 0 && name[0] >= 'a' && name[0] <= 'z' && name[length - 1] != '-' &&
                    strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
    if (!is_label) {
        return refuse(refusal, "metadata.name", "cluster name must be a valid DNS label");
    }
    if (length > NAME_CHARACTERS_MAX) {
        return refuse(refusal, "metadata.name",
                      "the maximum length of a cluster name is 50 characters");
    }
    return true;
}

static bool check_recovery(const cJSON *cluster, const struct refusal *refusal)
{
    const cJSON *recovery = value_at(cluster, "spec", "bootstrap", "recovery", NULL);
    bool has_database = value_text(recovery, "database", NULL) != NULL;
    bool has_owner = value_text(recovery, "owner", NULL) != NULL;
    if (has_database != has_owner) {
        return refuse(refusal, "spec.bootstrap.recovery", "database and owner go together");
    }
    const cJSON *storage = value_at(recovery, "volumeSnapshots", "storage", NULL);
    bool is_known = storage == NULL ||
                    (value_equal_text(storage, "VolumeSnapshot", "kind", NULL) &&
                     value_equal_text(storage, "snapshot.storage.k8s.io", "apiGroup", NULL)) ||
                    value_equal_text(storage, "PersistentVolumeClaim", "kind", NULL);
    return is_known || refuse(refusal, "spec.bootstrap.recovery.volumeSnapshots.storage",
                              "only VolumeSnapshots and PersistentVolumeClaims are supported");
}

static bool check_bootstrap(const cJSON *cluster, const struct refusal *refusal)
{
    int methods = cJSON_GetArraySize(value_at(cluster, "spec", "bootstrap", NULL));
    return (methods <= 1 ||
            refuse(refusal, "spec.bootstrap", "Only one bootstrap method can be specified")) &&
           check_recovery(cluster, refusal);
}

static bool check_storage(const cJSON *cluster, const struct refusal *refusal)
{
    return value_text(cluster, "spec", "storage", "size", NULL) != NULL ||
           refuse(refusal, "spec.storage.size",
                  "Size not configured. Please add it, or a storage request");
}

static void fill_in(cJSON *cluster)
{
    struct error error;
    cJSON *defaults = cnpg_defaults(cluster);
    bool applied = defaults == NULL || patch_merge_apply(cluster, defaults, &error);
    assert(applied);
    cJSON_Delete(defaults);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written through the refusal */
bool cnpg_admit(void *self, const cJSON *before, cJSON *cluster, char *out_message,
                size_t message_bytes)
{
    const struct refusal refusal = {.message = out_message, .message_bytes = message_bytes};
    bool is_new = before == NULL;
    (void)self;
    fill_in(cluster);
    return (!is_new || check_name(cluster, &refusal)) && check_bootstrap(cluster, &refusal) &&
           check_storage(cluster, &refusal);
}
