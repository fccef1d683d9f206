/* SPDX-License-Identifier: Apache-2.0 */
/* The finalizers are what keeps volumes from being forgotten; who takes them off takes that over.
   So every volume is made to stay first, and only when all of them are is anything let go. While an
   operator leads it does the same work properly, and this would only disturb it. */
#include "api/names.h"
#include "api/volume.h"
#include "cli/doctor.h"

#include <string.h>

enum { TEXT_BYTES_MAX = 1024 * 1024, ANSWER_BYTES_MAX = 16, PATH_BYTES_MAX = 2048 };

struct removal {
    struct doctor *doctor;
    size_t held_count, volume_count;
    const struct object **held;    /* Pools and Instances that hang in their deletion */
    const struct object **volumes; /* theirs */
};

/* ---- what there is ---- */

static void collect_held(struct removal *removal, enum object_kind kind)
{
    size_t count = 0;
    const struct object *const *objects = doctor_objects(removal->doctor, kind, &count);
    for (size_t i = 0; i < count; i++) {
        if (objects[i]->meta.deleting_ms != 0 && object_has_finalizer(objects[i], NAME_FINALIZER)) {
            removal->held[removal->held_count++] = objects[i];
        }
    }
}

static bool is_of(const struct object *volume, const struct object *owner)
{
    const char *label = owner->kind == KIND_POOL ? LABEL_POOL_UID : LABEL_INSTANCE_UID;
    return text_equal(object_label(volume, label), owner->meta.uid);
}

static void collect_volumes(struct removal *removal)
{
    size_t count = 0;
    const struct object *const *objects = doctor_objects(removal->doctor, KIND_VOLUME, &count);
    for (size_t i = 0; i < count; i++) {
        bool is_theirs = false;
        for (size_t j = 0; j < removal->held_count; j++) {
            is_theirs = is_theirs || is_of(objects[i], removal->held[j]);
        }
        if (is_theirs) {
            removal->volumes[removal->volume_count++] = objects[i];
        }
    }
}

static void collect(struct removal *removal)
{
    const struct store *store = removal->doctor->cluster.store;
    size_t count = store_count(store, KIND_POOL) + store_count(store, KIND_INSTANCE);
    removal->held = arena_new(&removal->doctor->arena, count + 1, sizeof(void *));
    removal->volumes =
        arena_new(&removal->doctor->arena, store_count(store, KIND_VOLUME) + 1, sizeof(void *));
    collect_held(removal, KIND_INSTANCE);
    collect_held(removal, KIND_POOL);
    collect_volumes(removal);
}

static void print_intent(const struct removal *removal)
{
    struct doctor *doctor = removal->doctor;
    cleanup_text struct text out;
    text_init(&out, TEXT_BYTES_MAX);
    for (size_t i = 0; i < removal->volume_count; i++) {
        const struct object *volume = removal->volumes[i];
        const char *handle = volume->volume->handle;
        text_print(&out, "keep    %s (%s)%s\n", doctor_name(doctor, volume),
                   handle == NULL ? "no handle" : handle,
                   volume->volume->policy == RECLAIM_RETAIN ? "" : ": set its policy to Retain");
    }
    for (size_t i = 0; i < removal->held_count; i++) {
        text_print(&out, "let go  %s: take the finalizer " NAME_FINALIZER " off\n",
                   doctor_name(doctor, removal->held[i]));
    }
    cli_print(doctor->cli, out.bytes);
}

/* ---- may we ---- */

static bool is_agreed(struct cli *cli)
{
    char answer[ANSWER_BYTES_MAX];
    cli_say(cli, "Do this? Type yes:");
    return fgets(answer, sizeof(answer), cli->in) != NULL && text_equal(answer, "yes\n");
}

static bool may_go_on(struct cli *cli, enum exit_code *out_code)
{
    if (cli->options.yes) {
        return true;
    }
    if (!cli->in_is_terminal) {
        *out_code = cli_fail(cli, CLI_USAGE, "there is nobody to ask: add --yes to do this");
        return false;
    }
    *out_code = CLI_OK;
    if (!is_agreed(cli)) {
        cli_say(cli, "Nothing was done.");
        return false;
    }
    return true;
}

/* ---- doing it ---- */

static bool patch(struct removal *removal, const struct object *object, const char *operations,
                  struct error *error)
{
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    kind_path(kind_of(object->kind), object->meta.namespace, object->meta.name, NULL, &path);
    const char *body =
        arena_print(&removal->doctor->arena,
                    "[{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"%s\"},%s]",
                    object->meta.uid, operations);
    struct request request = {.method = METHOD_PATCH,
                              .path = path.bytes,
                              .content_type = "application/json-patch+json",
                              .body = body,
                              .body_bytes = strlen(body)};
    if (cli_call(removal->doctor->cli, &request, NULL, error) || error->class == ERROR_NOT_FOUND) {
        return true;
    }
    return error_wrap(error, "%s", doctor_name(removal->doctor, object));
}

static bool keep_volumes(struct removal *removal, struct error *error)
{
    for (size_t i = 0; i < removal->volume_count; i++) {
        const struct object *volume = removal->volumes[i];
        if (volume->volume->policy != RECLAIM_RETAIN &&
            !patch(removal, volume,
                   "{\"op\":\"replace\",\"path\":\"/spec/persistentVolumeReclaimPolicy\","
                   "\"value\":\"Retain\"}",
                   error)) {
            return false;
        }
    }
    return true;
}

static bool let_go(struct removal *removal, struct error *error)
{
    for (size_t i = 0; i < removal->held_count; i++) {
        const struct object *object = removal->held[i];
        size_t at = 0;
        while (!text_equal(object->meta.finalizers[at], NAME_FINALIZER)) {
            at++;
        }
        const char *operations =
            arena_print(&removal->doctor->arena,
                        "{\"op\":\"test\",\"path\":\"/metadata/finalizers/%zu\",\"value\":"
                        "\"" NAME_FINALIZER "\"},{\"op\":\"remove\",\"path\":"
                        "\"/metadata/finalizers/%zu\"}",
                        at, at);
        if (!patch(removal, object, operations, error)) {
            return false;
        }
    }
    return true;
}

/* ---- what remains ---- */

static size_t count_claims(const struct removal *removal)
{
    size_t count = 0;
    size_t found = 0;
    const struct object *const *claims = doctor_objects(removal->doctor, KIND_VOLUME_CLAIM, &count);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < removal->held_count; j++) {
            found += is_of(claims[i], removal->held[j]) ? 1 : 0;
        }
    }
    return found;
}

static void print_remains(const struct removal *removal)
{
    struct cli *cli = removal->doctor->cli;
    cli_say(cli,
            "%zu let go. %zu volumes stay, with the policy Retain and their data, %zu PVCs and "
            "the Clusters on them.",
            removal->held_count, removal->volume_count, count_claims(removal));
    if (removal->volume_count > 0) {
        cli_say(cli,
                "What is not wanted any more is yours to delete, in this order: the Clusters, the "
                "PVCs (kubectl get pvc -A -l " LABEL_ROLE
                "), the PersistentVolumes above, and then the volumes in FSx (aws fsx "
                "delete-volume --volume-id HANDLE). An operator that is started again destroys "
                "what was warm, and what an Instance with deletionPolicy Delete had: take a "
                "volume out of its sight with kubectl label pv NAME " LABEL_STATE "-.");
    }
}

static enum exit_code remove_all(struct removal *removal)
{
    struct cli *cli = removal->doctor->cli;
    struct error error;
    if (!keep_volumes(removal, &error)) {
        return cli_fail(cli, CLI_ERROR, "no finalizer was removed: %s", error.message);
    }
    if (!let_go(removal, &error)) {
        return cli_fail(cli, CLI_ERROR, "not all were let go, run this again: %s", error.message);
    }
    print_remains(removal);
    return CLI_OK;
}

enum exit_code doctor_remove_finalizers(struct doctor *doctor)
{
    struct cli *cli = doctor->cli;
    struct removal removal = {.doctor = doctor};
    const char *holder = NULL;
    struct error error;
    enum exit_code code = CLI_OK;
    if (!doctor_leader(doctor, &holder, &error)) {
        return cli_fail(cli, CLI_ERROR, "it is not known whether an operator runs: %s",
                        error.message);
    }
    if (holder != NULL) {
        return cli_fail(cli, CLI_ERROR,
                        "the operator %s runs, and ends properly what is being deleted: let it, "
                        "or stop it first",
                        holder);
    }
    collect(&removal);
    if (removal.held_count == 0) {
        cli_say(cli, "No Pool and no Instance hangs in its deletion. Nothing is to be done.");
        return CLI_OK;
    }
    print_intent(&removal);
    return may_go_on(cli, &code) ? remove_all(&removal) : code;
}
