/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults follow client-go: v1 wants interactiveMode written out, v1beta1 has IfAvailable. */
#include "kube/kubeconfig_fields.h"

#include "kube/exec_plugin.h"

#include <string.h>

#define V1 "client.authentication.k8s.io/v1"
#define V1BETA1 "client.authentication.k8s.io/v1beta1"
#define V1ALPHA1 "client.authentication.k8s.io/v1alpha1"

static void read_version(struct kubeconfig_fields *fields, struct exec_plugin *plugin)
{
    plugin->api_version = kubeconfig_fields_text(fields, "apiVersion");
    if (plugin->api_version == NULL) {
        kubeconfig_fields_refuse(fields, "apiVersion", "is missing; most plugins speak %s",
                                 V1BETA1);
    } else if (text_equal(plugin->api_version, V1ALPHA1)) {
        kubeconfig_fields_refuse(fields, "apiVersion",
                                 "is v1alpha1, which Kubernetes 1.24 removed; update the plugin "
                                 "and set it to %s",
                                 V1BETA1);
    } else if (!text_equal(plugin->api_version, V1) && !text_equal(plugin->api_version, V1BETA1)) {
        kubeconfig_fields_refuse(fields, "apiVersion", "must be %s or %s", V1, V1BETA1);
    }
}

static void read_interactive(struct kubeconfig_fields *fields, struct exec_plugin *plugin)
{
    const char *mode = kubeconfig_fields_text(fields, "interactiveMode");
    if (mode == NULL && text_equal(plugin->api_version, V1BETA1)) {
        mode = "IfAvailable";
    }
    if (text_equal(mode, "Never")) {
        plugin->interactive = EXEC_INTERACTIVE_NEVER;
    } else if (text_equal(mode, "IfAvailable")) {
        plugin->interactive = EXEC_INTERACTIVE_IF_AVAILABLE;
    } else if (text_equal(mode, "Always")) {
        plugin->interactive = EXEC_INTERACTIVE_ALWAYS;
    } else {
        kubeconfig_fields_refuse(fields, "interactiveMode", "must be Never, IfAvailable or Always");
    }
}

static void read_arguments(struct kubeconfig_fields *fields, struct exec_plugin *plugin)
{
    const struct json *list = kubeconfig_fields_list(fields, "args");
    const char **arguments = arena_new(fields->arena, json_count(list) + 1, sizeof(*arguments));
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        arguments[plugin->argument_count++] = kubeconfig_fields_element(fields, "args", at);
    }
    plugin->arguments = arguments;
}

static void read_variables(struct kubeconfig_fields *fields, struct exec_plugin *plugin)
{
    const struct json *list = kubeconfig_fields_list(fields, "env");
    struct exec_variable *variables =
        arena_new(fields->arena, json_count(list) + 1, sizeof(*variables));
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        const struct json *name = json_is_object(at) ? json_member(at, "name") : NULL;
        const struct json *value = json_is_object(at) ? json_member(at, "value") : NULL;
        struct exec_variable *variable = &variables[plugin->variable_count++];
        variable->name = name == NULL ? "" : kubeconfig_fields_element(fields, "env", name);
        variable->value = value == NULL ? "" : kubeconfig_fields_element(fields, "env", value);
        if (*variable->name == '\0' || strchr(variable->name, '=') != NULL) {
            kubeconfig_fields_refuse(fields, "env", "must be a list of name and value");
        }
    }
    plugin->variables = variables;
}

const struct exec_plugin *kubeconfig_read_exec(struct kubeconfig_fields *fields)
{
    const struct json *object = json_member(fields->object, "exec");
    if (object == NULL) {
        return NULL;
    }
    struct kubeconfig_fields exec;
    kubeconfig_fields_init(&exec, object, fields->document,
                           arena_print(fields->arena, "%s.exec", fields->where), fields->arena);
    struct exec_plugin *plugin = arena_new(fields->arena, 1, sizeof(*plugin));
    read_version(&exec, plugin);
    const char *command = kubeconfig_fields_text(&exec, "command");
    if (command == NULL) {
        kubeconfig_fields_refuse(&exec, "command", "is missing");
    } else {
        plugin->command =
            strchr(command, '/') == NULL ? command : kubeconfig_absolute(&exec, command);
    }
    read_arguments(&exec, plugin);
    read_variables(&exec, plugin);
    read_interactive(&exec, plugin);
    plugin->install_hint = kubeconfig_fields_text(&exec, "installHint");
    plugin->provide_cluster_info = kubeconfig_fields_bool(&exec, "provideClusterInfo");
    if (exec.error.class != ERROR_NONE && fields->error.class == ERROR_NONE) {
        fields->error = exec.error;
    }
    return plugin;
}
