/* SPDX-License-Identifier: Apache-2.0 */
/* What is asserted, as data: a topic has scenes, a scene is played in a namespace of its own, step
   by step. A step that fails ends its scene; those after it count as failed, so that the number of
   assertions does not depend on what fails.

   Paths, bodies and expectations are texts with gaps (words.h). The words: $ns, the scene's
   namespace, which is also a name for its cluster-wide objects; $core, the path of the namespace
   and thus of what is in it; $ours, that of our own kinds in it; $volumes and $classes, those of
   PersistentVolumes and StorageClasses; and what KEEP kept. */
#ifndef ADJOINT_CONFORMANCE_SCENE_H
#define ADJOINT_CONFORMANCE_SCENE_H

#include "kube/transport.h"

#include <stddef.h>
#include <stdint.h>

enum act {
    ACT_NONE,    /* the last row */
    ACT_SEND,    /* a request, whose reply is as said */
    ACT_AWAIT,   /* again and again, until its reply is as said */
    ACT_KEEP,    /* a part of the last reply becomes a word */
    ACT_REST,    /* time passes, for what should not happen */
    ACT_WATCH,   /* opens a watch; one before it is closed */
    ACT_HEAR,    /* its next line is as said */
    ACT_SILENCE, /* it says nothing for a while */
    ACT_ENDED,   /* it ends, in order, after what was heard */
    ACT_COMPACT, /* the server forgets all that has been */
};

struct step {
    enum act act;
    enum method method;
    const char *path, *body; /* body NULL: none */
    const char *content_type, *accept;
    int http_status;
    const char *expected;     /* of the body or line; NULL: anything. See expectation.h */
    const char *word, *where; /* of KEEP: see expectation_find */
    int64_t for_ms;
};

struct scene {
    const char *name;
    const struct step *steps;
};

struct stage;
struct topic {
    const char *name;
    const struct scene *scenes; /* the last has no name */
    /* What is no table: more assertions, in a namespace of their own. NULL: none. */
    void (*play)(struct stage *stage);
};

/* ---- words of the tables ---- */

#define SCENE(name_, ...)                                                                          \
    {                                                                                              \
        name_, (const struct step[])                                                               \
        {                                                                                          \
            __VA_ARGS__,                                                                           \
            {                                                                                      \
                .act = ACT_NONE                                                                    \
            }                                                                                      \
        }                                                                                          \
    }
#define SCENES_END                                                                                 \
    {                                                                                              \
        NULL, NULL                                                                                 \
    }

#define SEND(method_, type_, path_, body_, status_, expected_)                                     \
    {                                                                                              \
        .act = ACT_SEND, .method = (method_), .content_type = (type_), .path = (path_),            \
        .body = (body_), .http_status = (status_), .expected = (expected_)                         \
    }
#define GET(path, status, expected) SEND(METHOD_GET, NULL, path, NULL, status, expected)
#define POST(path, body, status, expected) SEND(METHOD_POST, NULL, path, body, status, expected)
#define PUT(path, body, status, expected) SEND(METHOD_PUT, NULL, path, body, status, expected)
#define DELETE(path, body, status, expected) SEND(METHOD_DELETE, NULL, path, body, status, expected)
#define MERGE(path, body, status, expected)                                                        \
    SEND(METHOD_PATCH, "application/merge-patch+json", path, body, status, expected)
#define JSON_PATCH(path, body, status, expected)                                                   \
    SEND(METHOD_PATCH, "application/json-patch+json", path, body, status, expected)
#define STRATEGIC(path, body, status, expected)                                                    \
    SEND(METHOD_PATCH, "application/strategic-merge-patch+json", path, body, status, expected)
#define GET_AS(accept_, path_, status_, expected_)                                                 \
    {                                                                                              \
        .act = ACT_SEND, .method = METHOD_GET, .accept = (accept_), .path = (path_),               \
        .http_status = (status_), .expected = (expected_)                                          \
    }
#define AWAIT(path_, status_, expected_)                                                           \
    {                                                                                              \
        .act = ACT_AWAIT, .method = METHOD_GET, .path = (path_), .http_status = (status_),         \
        .expected = (expected_)                                                                    \
    }
#define AWAIT_POST(path_, body_, status_, expected_)                                               \
    {                                                                                              \
        .act = ACT_AWAIT, .method = METHOD_POST, .path = (path_), .body = (body_),                 \
        .http_status = (status_), .expected = (expected_)                                          \
    }
#define KEEP(word_, where_)                                                                        \
    {                                                                                              \
        .act = ACT_KEEP, .word = (word_), .where = (where_)                                        \
    }
#define REST(ms)                                                                                   \
    {                                                                                              \
        .act = ACT_REST, .for_ms = (ms)                                                            \
    }
#define WATCH(path_)                                                                               \
    {                                                                                              \
        .act = ACT_WATCH, .path = (path_), .http_status = 200                                      \
    }
#define HEAR(expected_)                                                                            \
    {                                                                                              \
        .act = ACT_HEAR, .expected = (expected_)                                                   \
    }
#define SILENCE(ms)                                                                                \
    {                                                                                              \
        .act = ACT_SILENCE, .for_ms = (ms)                                                         \
    }
#define ENDED                                                                                      \
    {                                                                                              \
        .act = ACT_ENDED                                                                           \
    }
#define COMPACT                                                                                    \
    {                                                                                              \
        .act = ACT_COMPACT                                                                         \
    }

#endif
