/* SPDX-License-Identifier: Apache-2.0 */
#include "support/simulated_front.h"

#include "base/base64.h"
#include "io/yaml.h"
#include "sim/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- running ---- */

static void move_world(struct simulated_front *front)
{
    int64_t now_ms = loop_now(front->client.loop).mono_ms;
    int64_t until_ms = (now_ms - front->started_ms) * front->speed;
    while (world_run_next(front->world, until_ms)) {
    }
}

static bool turn(void *self)
{
    struct simulated_front *front = self;
    move_world(front);
    (void)front_step(front->front, loop_now(front->client.loop));
    move_world(front);
    return front->is_done(front->self);
}

void simulated_front_run(struct simulated_front *front, bool (*is_done)(void *self), void *self)
{
    front->is_done = is_done;
    front->self = self;
    test_client_run(&front->client, turn, front);
}

static bool has_ended(void *self)
{
    return ((const struct test_call *)self)->end_count > 0;
}

void simulated_front_call(struct simulated_front *front, struct test_call *call,
                          const struct request *request)
{
    test_call_start(call, &front->client, request);
    simulated_front_run(front, has_ended, call);
    assert_int_equal(call->error.class, ERROR_NONE);
}

/* ---- the fixture ---- */

static bool keep_document(void *self, const char *json, struct error *error)
{
    return value_parse(json, self, error);
}

/* What a client reads in the kubeconfig; in the arena. */
static char *authority_in(struct simulated_front *front, const char *kubeconfig)
{
    cJSON *config = NULL;
    struct error error;
    char *pem = NULL;
    size_t byte_count = 0;
    assert_true(yaml_to_json(kubeconfig, strlen(kubeconfig), keep_document, &config, &error));
    const cJSON *cluster = value_at(config, "clusters", NULL)->child;
    const cJSON *user = value_at(config, "users", NULL)->child;
    assert_string_equal(value_text(cluster, "cluster", "server", NULL), front_url(front->front));
    assert_string_equal(value_text(user, "user", "token", NULL), FRONT_TOKEN);
    assert_true(base64_decode(value_text(cluster, "cluster", "certificate-authority-data", NULL),
                              &front->arena, &pem, &byte_count, &error));
    cJSON_Delete(config);
    return pem;
}

static bool tell(void *self, const char *path, struct text *out)
{
    const struct simulated_front *front = self;
    if (!text_equal(path, "/told")) {
        return false;
    }
    text_print(out, "{\"speed\":%d}", (int)front->speed);
    return true;
}

static void open_front(struct simulated_front *front)
{
    struct front_options options = {
        .address = "127.0.0.1",
        .token = FRONT_TOKEN,
        .user = "somebody",
        .speed = front->speed,
        .from_wall_ms = FRONT_FROM_MS,
        .tell = tell,
        .self = front,
    };
    struct error error;
    if (!front_open(front->client.loop, front->server, &options, &front->front, &error) ||
        !front_write_kubeconfig(front->front, test_folder_path(&front->folder, "config"), &error)) {
        fail_msg("%s", error.message);
    }
}

void simulated_front_init(struct simulated_front *front, int64_t speed)
{
    *front = (struct simulated_front){.speed = speed};
    arena_init(&front->arena, 0);
    test_folder_init(&front->folder);
    front->world = world_new(1, 0);
    front->server = apiserver_new(front->world);
    test_client_init(&front->client, NULL, NULL, NULL);
    front->started_ms = loop_now(front->client.loop).mono_ms;
    open_front(front);
    front->client.set.server = front_url(front->front);
    front->client.set.token = FRONT_TOKEN;
    front->client.set.authority_pem =
        authority_in(front, test_folder_read(&front->folder, "config"));
}

void simulated_front_release(struct simulated_front *front)
{
    front_free(front->front);
    test_client_release(&front->client);
    apiserver_free(front->server);
    world_free(front->world);
    test_folder_release(&front->folder);
    arena_release(&front->arena);
}

/* ---- requests ---- */

struct request front_creation(const char *body)
{
    return (struct request){.method = METHOD_POST,
                            .path = FRONT_MAPS,
                            .content_type = "application/json",
                            .body = body,
                            .body_bytes = strlen(body),
                            .deadline_ms = 60000};
}

void front_create(struct simulated_front *front, const char *name)
{
    struct test_call call;
    char body[256];
    (void)snprintf(body, sizeof(body),
                   "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"}}",
                   name);
    struct request request = front_creation(body);
    simulated_front_call(front, &call, &request);
    assert_int_equal(call.http_status, 201);
    test_call_release(&call);
}

void assert_front_answers(struct simulated_front *front, const struct request *request,
                          int http_status, const char *part)
{
    struct test_call call;
    simulated_front_call(front, &call, request);
    assert_int_equal(call.http_status, http_status);
    if (strstr(call.body.bytes, part) == NULL) {
        fail_msg("%s is not in %s", part, call.body.bytes);
    }
    test_call_release(&call);
}
