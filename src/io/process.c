/* SPDX-License-Identifier: Apache-2.0 */
/* A child leads a session of its own, so that at the deadline whatever it has started goes with
   it. One that is given our stdin stays in our group instead: it may have to ask a person, and the
   terminal only listens to its own session. Then only the child itself is killed.

   A child counts as ended when it has exited and nobody holds its stdout any more: output of a
   grandchild belongs to the answer. libuv must see the exit of what it started (or a zombie is
   left), so the memory of a freed process goes only after that. */
#include "io/process.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/loop.h"

#include <assert.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

enum { SIGNAL_CODE = 128 };

struct process {
    uv_process_t child;
    uv_pipe_t output;
    uv_timer_t deadline;
    int open_handle_count;

    char *command;
    int64_t deadline_ms;
    bool leads_group, foreground;
    struct sigaction interrupted_before, quit_before; /* in the foreground */
    bool spawned, exited, output_ended, finished, freed;
    int64_t exit_status;
    int exit_signal;

    struct text text;
    char chunk[4096];
    struct error failure; /* class ERROR_NONE: none so far */
    void (*done)(void *self, const char *output, const struct error *error);
    void *self;
};

static void handle_closed(uv_handle_t *handle)
{
    struct process *process = handle->data;
    if (--process->open_handle_count == 0) {
        text_release(&process->text);
        memory_free(process->command);
        memory_free(process);
    }
}

static void kill_child(struct process *process)
{
    if (process->spawned) {
        /* ESRCH: all of it is gone already. */
        (void)uv_kill(process->leads_group ? -process->child.pid : process->child.pid, SIGKILL);
    }
}

static void leave_foreground(struct process *process)
{
    if (process->foreground) {
        (void)sigaction(SIGINT, &process->interrupted_before, NULL);
        (void)sigaction(SIGQUIT, &process->quit_before, NULL);
        process->foreground = false;
    }
}

/* libuv gives a child the default actions back. */
static void enter_foreground(struct process *process)
{
    struct sigaction ignored = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGINT, &ignored, &process->interrupted_before);
    (void)sigaction(SIGQUIT, &ignored, &process->quit_before);
    process->foreground = true;
}

/* The last use of process: done may free it. */
static void finish(struct process *process)
{
    assert(!process->finished);
    process->finished = true;
    uv_timer_stop(&process->deadline);
    uv_read_stop((uv_stream_t *)&process->output);
    leave_foreground(process);

    struct error *failure = &process->failure;
    if (failure->class != ERROR_NONE) {
        kill_child(process);
    } else if (process->exit_signal != 0) {
        error_set(failure, ERROR_SYSTEM, "%s was killed by signal %d", process->command,
                  process->exit_signal);
    } else if (process->exit_status != 0) {
        error_set(failure, ERROR_SYSTEM, "%s ended with status %d", process->command,
                  (int)process->exit_status);
    }
    bool went_well = failure->class == ERROR_NONE;
    process->done(process->self, went_well ? process->text.bytes : NULL, failure);
}

static void child_exited(uv_process_t *child, int64_t exit_status, int exit_signal)
{
    struct process *process = child->data;
    process->exited = true;
    process->exit_status = exit_status;
    process->exit_signal = exit_signal;
    if (process->freed) {
        uv_close((uv_handle_t *)child, handle_closed);
    } else if (process->output_ended && !process->finished) {
        finish(process);
    }
}

static void deadline_passed(uv_timer_t *deadline)
{
    struct process *process = deadline->data;
    if (process->failure.class == ERROR_NONE) {
        error_set(&process->failure, ERROR_TIMEOUT, "%s has not ended within %lld ms",
                  process->command, (long long)process->deadline_ms);
    }
    finish(process);
}

static void give_chunk(uv_handle_t *output, size_t suggested_bytes, uv_buf_t *out_chunk)
{
    (void)suggested_bytes;
    struct process *process = output->data;
    *out_chunk = uv_buf_init(process->chunk, sizeof(process->chunk));
}

static void output_came(uv_stream_t *output, ssize_t byte_count, const uv_buf_t *chunk)
{
    struct process *process = output->data;
    if (byte_count >= 0) {
        text_append_bytes(&process->text, chunk->base, (size_t)byte_count);
        if (process->text.overflowed) {
            error_set(&process->failure, ERROR_LIMIT, "%s has written more than %zu bytes",
                      process->command, process->text.length_bytes_max);
            finish(process);
        }
        return;
    }
    process->output_ended = true;
    if (process->exited) {
        finish(process);
    }
}

/* NULL-terminated; copies, since libuv takes no const. */
static char **copy_arguments(struct arena *arena, const struct process_request *request)
{
    size_t count = 0;
    while (request->arguments != NULL && request->arguments[count] != NULL) {
        count++;
    }
    char **arguments = arena_new(arena, count + 2, sizeof(*arguments));
    arguments[0] = arena_copy(arena, request->command);
    for (size_t i = 0; i < count; i++) {
        arguments[i + 1] = arena_copy(arena, request->arguments[i]);
    }
    return arguments;
}

static bool is_overridden(const char *name, const char *const *variables, size_t count)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < count; i++) {
        bool begins = strncmp(variables[i], name, length) == 0;
        if (begins && (variables[i][length] == '=' || variables[i][length] == '\0')) {
            return true;
        }
    }
    return false;
}

static char **copy_variables(struct arena *arena, const char *const *variables)
{
    size_t count = 0;
    while (variables != NULL && variables[count] != NULL) {
        count++;
    }
    uv_env_item_t *ours = NULL;
    int our_count = 0;
    int status = uv_os_environ(&ours, &our_count);
    assert(status == 0);

    char **copies = arena_new(arena, count + (size_t)our_count + 1, sizeof(*copies));
    size_t used = 0;
    for (int i = 0; i < our_count; i++) {
        if (!is_overridden(ours[i].name, variables, count)) {
            copies[used++] = arena_print(arena, "%s=%s", ours[i].name, ours[i].value);
        }
    }
    uv_os_free_environ(ours, our_count);
    for (size_t i = 0; i < count; i++) {
        if (strchr(variables[i], '=') != NULL) {
            copies[used++] = arena_copy(arena, variables[i]);
        }
    }
    return copies;
}

static int spawn(struct process *process, uv_loop_t *uv, const struct process_request *request)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);

    uv_stdio_container_t stdio[] = {
        {.flags = UV_IGNORE},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
         .data.stream = (uv_stream_t *)&process->output},
        {.flags = UV_INHERIT_FD, .data.fd = STDERR_FILENO},
    };
    if (request->inherit_stdin || request->foreground) {
        stdio[0] = (uv_stdio_container_t){.flags = UV_INHERIT_FD, .data.fd = STDIN_FILENO};
    }
    if (request->foreground) {
        stdio[1] = (uv_stdio_container_t){.flags = UV_INHERIT_FD, .data.fd = STDOUT_FILENO};
    }
    uv_process_options_t options = {
        .exit_cb = child_exited,
        .file = request->command,
        .args = copy_arguments(&arena, request),
        .env = copy_variables(&arena, request->variables),
        .flags = process->leads_group ? UV_PROCESS_DETACHED : 0,
        .stdio_count = 3,
        .stdio = stdio,
    };
    return uv_spawn(uv, &process->child, &options);
}

static void explain_spawn(struct process *process, int status)
{
    const char *command = process->command;
    if (status == UV_ENOENT && strchr(command, '/') == NULL) {
        error_set(&process->failure, ERROR_SYSTEM, "%s: no such command in PATH", command);
    } else {
        error_set(&process->failure, ERROR_SYSTEM, "%s: %s", command, uv_strerror(status));
    }
}

struct process *
process_start(struct loop *loop, const struct process_request *request,
              void (*done)(void *self, const char *output, const struct error *error), void *self)
{
    bool is_bounded = request->deadline_ms > 0 && request->output_bytes_max > 0;
    assert(request->foreground || is_bounded);

    struct process *process = memory_new(1, sizeof(*process));
    process->command = memory_copy_text(request->command);
    process->deadline_ms = request->deadline_ms;
    process->leads_group = !request->inherit_stdin && !request->foreground;
    process->output_ended = request->foreground;
    process->done = done;
    process->self = self;
    text_init(&process->text, request->output_bytes_max);

    uv_loop_t *uv = loop_uv(loop);
    uv_update_time(uv);
    uv_timer_init(uv, &process->deadline);
    uv_pipe_init(uv, &process->output, 0);
    process->deadline.data = process->output.data = process->child.data = process;
    process->open_handle_count = 3;

    if (request->foreground) { /* before there is a child whose signal we get, too */
        enter_foreground(process);
    }
    int status = spawn(process, uv, request);
    process->spawned = status == 0;
    process->exited = !process->spawned;
    if (!process->spawned) {
        explain_spawn(process, status);
        uv_timer_start(&process->deadline, deadline_passed, 0, 0);
    } else if (!request->foreground) {
        uv_read_start((uv_stream_t *)&process->output, give_chunk, output_came);
        uv_timer_start(&process->deadline, deadline_passed, (uint64_t)request->deadline_ms, 0);
    }
    return process;
}

int process_exit_code(const struct process *process)
{
    assert(process->finished);
    if (!process->spawned) {
        return -1;
    }
    return process->exit_signal != 0 ? SIGNAL_CODE + process->exit_signal
                                     : (int)process->exit_status;
}

void process_terminate(struct process *process)
{
    if (process->spawned && !process->exited) {
        (void)uv_process_kill(&process->child, SIGTERM); /* ESRCH: it has ended */
    }
}

void process_free(struct process *process)
{
    if (process == NULL) {
        return;
    }
    assert(!process->freed);
    process->freed = true;
    leave_foreground(process);
    if (!process->finished) {
        kill_child(process);
    }
    uv_close((uv_handle_t *)&process->deadline, handle_closed);
    uv_close((uv_handle_t *)&process->output, handle_closed);
    if (process->exited) {
        uv_close((uv_handle_t *)&process->child, handle_closed);
    }
}
