/* SPDX-License-Identifier: Apache-2.0 */
/* The connection Secret is ours, not CloudNativePG's, so that it is there before Postgres is, keeps
   its name and password when the Cluster is made again, and can be what a Service Binding needs. It
   is posted while the binder binds, which takes longer. It is never read and never written again:
   what says that it is there (lost when the operator is killed) is asked for by posting it. That
   one of its name is ours is in the status from the choice of a volume on, for an Instance may have
   to choose again. A clone of another golden may have another owner or database, which the Secret
   does not let in to, and CloudNativePG refuses it: then there is another Secret, of a name that
   nobody takes by chance, and the first goes with its Instance. Without the guarded bootstrap there
   is no place to name it, and CloudNativePG makes its own. */
#include "plan/instance_turn.h"

#include "api/names.h"
#include "base/digest.h"
#include "plan/desired.h"
#include "plan/desired_parts.h"

#include <string.h>

static const char *cloudnativepgs_secret(const struct object *instance, struct arena *arena)
{
    return arena_print(arena, "%s-app", instance->meta.name);
}

const char *credentials_secret_name(const struct object *instance, const struct object *pool,
                                    struct arena *arena)
{
    return pool->pool->bootstrap == BOOTSTRAP_GUARDED ? desired_secret_name(instance, arena)
                                                      : cloudnativepgs_secret(instance, arena);
}

/* What an earlier Adjoint reserved is not known to be of another. */
static bool is_of_another(const char *known, const char *wanted)
{
    return known != NULL && wanted != NULL && !text_equal(known, wanted);
}

static const char *another_name(const struct object *instance, const char *user,
                                const char *database, struct arena *arena)
{
    char digest[DIGEST_HEX_BYTES];
    const char *of = arena_print(arena, "%s/%s/%s", instance->meta.uid, user, database);
    digest_sha256(of, strlen(of), digest);
    return arena_print(arena, "%s-adjoint-%.8s", instance->meta.name, digest);
}

void credentials_reserve(struct instance_turn *turn, const struct object *volume)
{
    struct instance *next = &turn->next;
    const struct instance *before = turn->before;
    struct arena *arena = turn->plan->arena;
    if (turn->seen->pool->pool->bootstrap != BOOTSTRAP_GUARDED) {
        return;
    }
    struct handoff handoff = {.instance = turn->object, .pool = turn->seen->pool, .volume = volume};
    const char *user = desired_owner(&handoff);
    const char *database = desired_database(&handoff);
    next->binding_secret = desired_secret_name(turn->object, arena);
    if (before->binding_secret != NULL && (is_of_another(before->binding_user, user) ||
                                           is_of_another(before->binding_database, database))) {
        next->binding_secret = another_name(turn->object, user, database, arena);
    }
    next->binding_user = user;
    next->binding_database = database;
}

bool credentials_ready(const struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    return seen->cluster != NULL || seen->pool == NULL ||
           text_equal(seen->secret_made, desired_secret_name(turn->object, turn->plan->arena)) ||
           seen->pool->pool->bootstrap != BOOTSTRAP_GUARDED;
}

void credentials_plan(struct instance_turn *turn)
{
    struct arena *arena = turn->plan->arena;
    struct handoff handoff = {.instance = turn->object,
                              .pool = turn->seen->pool,
                              .volume = turn->seen->volume,
                              .wall_ms = turn->plan->now.wall_ms};
    if (credentials_ready(turn)) {
        return;
    }
    instance_act(turn, (struct action){.kind = ACTION_CREATE,
                                       .purpose = PURPOSE_SECRET,
                                       .object = KIND_SECRET,
                                       .namespace = turn->object->meta.namespace,
                                       .name = desired_secret_name(turn->object, arena),
                                       .uid = turn->object->meta.uid,
                                       .body = desired_secret(&handoff, turn->seen->data_claim,
                                                              turn->seen->secret_bytes, arena),
                                       .reason = "applications connect with it"});
}

void credentials_tell(struct instance_turn *turn)
{
    struct instance *next = &turn->next;
    struct arena *arena = turn->plan->arena;
    const char *secret = turn->seen->cluster->cluster->secret;
    const char *ours = desired_secret_name(turn->object, arena);
    next->connection_host = desired_host(turn->object, arena);
    next->connection_secret = secret != NULL ? secret : cloudnativepgs_secret(turn->object, arena);
    next->connection_database = object_annotation(turn->seen->volume, ANNOTATION_DATABASE);
    next->connection_user = object_annotation(turn->seen->volume, ANNOTATION_OWNER);
    if (text_equal(secret, ours)) {
        next->binding_secret = ours;
        next->binding_user = next->connection_user;
        next->binding_database = next->connection_database;
    }
}
