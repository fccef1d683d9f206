/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter in a Cluster is set as superuser, whoever asked for it, and a name goes into the
   configuration file as it is. So names are letters only, values are one line, and what could break
   the data, run code or take CloudNativePG's settings out of its hands is refused by name
   (FixedConfigurationParameters in its pkg/postgres, and what it leaves open). Postgres compares
   names without case, hence lower case. Labels: those by which tools find what they own, and delete
   what they do not know. */
#include "plan/overrides.h"

#include "api/names.h"
#include "plan/body.h"

#include <string.h>

enum harm { HARM_DATA, HARM_CODE, HARM_FIXED };

static const char *const HARMS[] = {
    [HARM_DATA] = "with it a crash may leave, or hide, a broken database",
    [HARM_CODE] = "it runs or loads code as the server",
    [HARM_FIXED] = "CloudNativePG sets it",
};

/* `*` at either end stands for anything. */
static const struct {
    const char *pattern;
    enum harm harm;
} PARAMETERS[] = {
    {"fsync", HARM_DATA},
    {"full_page_writes", HARM_DATA},
    {"zero_damaged_pages", HARM_DATA},
    {"ignore_*", HARM_DATA},
    {"data_sync_retry", HARM_DATA},
    {"allow_system_table_mods", HARM_DATA},
    {"allow_in_place_tablespaces", HARM_DATA},
    {"*_command", HARM_CODE},
    {"*_libraries", HARM_CODE},
    {"*_library", HARM_CODE},
    {"dynamic_library_path", HARM_CODE},
    {"extension_*", HARM_CODE},
    {"jit_provider", HARM_CODE},
    {"*.start_proc", HARM_CODE},
    {"plperl.*", HARM_CODE},
    {"include*", HARM_FIXED},
    {"archive_*", HARM_FIXED},
    {"recovery_*", HARM_FIXED},
    {"primary_*", HARM_FIXED},
    {"promote_*", HARM_FIXED},
    {"ssl*", HARM_FIXED},
    {"unix_socket_*", HARM_FIXED},
    {"bonjour*", HARM_FIXED},
    {"syslog_*", HARM_FIXED},
    {"*_file", HARM_FIXED},
    {"*_directory", HARM_FIXED},
    {"*_directories", HARM_FIXED},
    {"logging_collector", HARM_FIXED},
    {"log_destination", HARM_FIXED},
    {"log_filename", HARM_FIXED},
    {"log_file_mode", HARM_FIXED},
    {"log_rotation_*", HARM_FIXED},
    {"log_truncate_on_rotation", HARM_FIXED},
    {"port", HARM_FIXED},
    {"listen_addresses", HARM_FIXED},
    {"cluster_name", HARM_FIXED},
    {"event_source", HARM_FIXED},
    {"hot_standby", HARM_FIXED},
    {"restart_after_crash", HARM_FIXED},
    {"synchronous_standby_names", HARM_FIXED},
    {"synchronized_standby_slots", HARM_FIXED},
    {"temp_tablespaces", HARM_FIXED},
    {"pg_failover_slots.*", HARM_FIXED},
};

/* Prefixes of label keys, with all domains below them. */
static const char *const LABEL_DOMAINS[] = {
    NAME_GROUP, "cnpg.io", "kubernetes.io", "k8s.io", "argoproj.io", "fluxcd.io", "helm.sh",
};

static bool matches(const char *pattern, const char *name)
{
    size_t length = strlen(pattern);
    if (pattern[0] == '*') {
        return text_ends_with(name, pattern + 1);
    }
    return pattern[length - 1] == '*' ? strncmp(name, pattern, length - 1) == 0
                                      : text_equal(name, pattern);
}

static bool is_plain_name(const char *name)
{
    return name[0] != '\0' && strchr("0123456789.", name[0]) == NULL &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.") == strlen(name);
}

static bool is_one_line(const char *value)
{
    for (const char *at = value; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == '\x7f') {
            return false;
        }
    }
    return true;
}

static const char *find_harm(const struct instance *instance, const char *name)
{
    if (instance->durability == DURABILITY_ORDERED && text_equal(name, "synchronous_commit")) {
        return "durability Ordered sets it";
    }
    for (size_t i = 0; i < sizeof(PARAMETERS) / sizeof(PARAMETERS[0]); i++) {
        if (matches(PARAMETERS[i].pattern, name)) {
            return HARMS[PARAMETERS[i].harm];
        }
    }
    return NULL;
}

static struct verdict refuse(const char *what, const char *name, const char *why,
                             struct arena *arena)
{
    return (struct verdict){"OverrideRefused",
                            arena_print(arena,
                                        "spec.cluster: %s \"%s\" is refused: %s. Make this "
                                        "Instance again without it",
                                        what, name, why)};
}

static struct verdict check_parameter(const struct instance *instance,
                                      const struct label *parameter, struct arena *arena)
{
    const char *why = find_harm(instance, parameter->key);
    if (!is_plain_name(parameter->key)) {
        why = "a parameter's name is of a-z, 0-9, '_' and '.', in lower case";
    } else if (why == NULL && !is_one_line(parameter->value)) {
        why = "its value must be one line, without control characters";
    }
    return why == NULL ? (struct verdict){NULL, NULL}
                       : refuse("parameter", parameter->key, why, arena);
}

static bool is_in_domain(const char *key, const char *domain)
{
    const char *slash = strchr(key, '/');
    size_t length = strlen(domain);
    size_t prefix_length = slash == NULL ? 0 : (size_t)(slash - key);
    return prefix_length >= length && strncmp(slash - length, domain, length) == 0 &&
           (prefix_length == length || slash[-(ptrdiff_t)length - 1] == '.');
}

static struct verdict check_label(const struct label *label, struct arena *arena)
{
    bool refused = text_equal(label->key, CNPG_LABEL_ROLE);
    for (size_t i = 0; i < sizeof(LABEL_DOMAINS) / sizeof(LABEL_DOMAINS[0]); i++) {
        refused = refused || is_in_domain(label->key, LABEL_DOMAINS[i]);
    }
    return refused ? refuse("label", label->key,
                            "an operator or a GitOps tool finds by it what is its own", arena)
                   : (struct verdict){NULL, NULL};
}

struct verdict overrides_check(const struct instance *instance, struct arena *arena)
{
    struct verdict verdict = {NULL, NULL};
    for (size_t i = 0; verdict.reason == NULL && i < instance->parameter_count; i++) {
        verdict = check_parameter(instance, &instance->parameters[i], arena);
    }
    for (size_t i = 0; verdict.reason == NULL && i < instance->cluster_label_count; i++) {
        verdict = check_label(&instance->cluster_labels[i], arena);
    }
    return verdict;
}

const char *overrides_spec(const struct instance *instance, struct arena *arena)
{
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    json_begin_object(json);
    if (instance->resources != NULL) {
        json_member_raw(json, "resources", instance->resources);
    }
    if (instance->parameter_count > 0 || instance->durability == DURABILITY_ORDERED) {
        json_member_object(json, "postgresql");
        json_member_object(json, "parameters");
        for (size_t i = 0; i < instance->parameter_count; i++) {
            json_member_string(json, instance->parameters[i].key, instance->parameters[i].value);
        }
        if (instance->durability == DURABILITY_ORDERED) {
            json_member_string(json, "synchronous_commit", "off");
        }
        json_end_object(json);
        json_end_object(json);
    }
    json_end_object(json);
    return body_end(&body, arena);
}
