/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between shells is here; what they offer is asked of adj itself (cli/complete.c), so
   that a script that is older than the program offers what the program has. bash needs no package
   beside it, and 3.2 is enough, which is what macOS has. */
#include "cli/command.h"
#include "cli/complete.h"

#define ASK " " COMPLETE_WORD " "

/* bash splits words at '=', so that --name=value is three of its words, and what it replaces is the
   third alone. */
static const char BASH[] =
    "# bash completion of adj: `source <(adj completion bash)`\n"
    "_adj() {\n"
    "    local words=() word glued= line files=\n"
    "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD}\"; do\n"
    "        if [[ ${#words[@]} -gt 0 && ( $glued || $word == = ) ]]; then\n"
    "            words[${#words[@]}-1]+=$word\n"
    "            [[ $word == = ]] && glued=1 || glued=\n"
    "        else\n"
    "            words+=(\"$word\")\n"
    "        fi\n"
    "    done\n"
    "    local typed=${words[${#words[@]}-1]} before=\n"
    "    [[ $typed == -*=* && $COMP_WORDBREAKS == *=* ]] && before=${typed%%=*}=\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do\n"
    "        case $line in\n"
    "        :0) files=1 ;;\n"
    "        :*) ;;\n"
    "        *) line=${line%%$'\\t'*} COMPREPLY+=(\"${line#\"$before\"}\") ;;\n"
    "        esac\n"
    "    done < <(adj" ASK "\"${words[@]}\" 2>/dev/null)\n"
    "    if [[ $files ]]; then\n"
    "        while IFS= read -r line; do\n"
    "            COMPREPLY+=(\"$line\")\n"
    "        done < <(compgen -f -- \"${typed#\"$before\"}\")\n"
    "        compopt -o filenames 2>/dev/null\n"
    "    fi\n"
    "}\n"
    "complete -F _adj adj kubectl-adj\n";

static const char ZSH[] =
    "#compdef adj kubectl-adj\n"
    "# zsh completion of adj: `source <(adj completion zsh)`, or as _adj in a folder of $fpath\n"
    "_adj() {\n"
    "    local line files=\n"
    "    local -a names lines\n"
    "    for line in \"${(@f)$(adj" ASK
    "\"${(@Q)words[2,CURRENT-1]}\" \"${(Q)PREFIX}\" 2>/dev/null)}\"; do\n"
    "        case $line in\n"
    "        :0) files=1 ;;\n"
    "        :*|'') ;;\n"
    "        *)\n"
    "            names+=(\"${line%%$'\\t'*}\")\n"
    "            lines+=(\"${line/$'\\t'/  -- }\")\n"
    "            ;;\n"
    "        esac\n"
    "    done\n"
    "    if [[ -n $files ]]; then\n"
    "        compset -P '-*='\n"
    "        _files\n"
    "    else\n"
    "        compadd -l -d lines -a names\n"
    "    fi\n"
    "}\n"
    "if [[ ${funcstack[1]} == _adj ]]; then\n"
    "    _adj \"$@\"\n"
    "else\n"
    "    compdef _adj adj kubectl-adj\n"
    "fi\n";

static const char FISH[] =
    "# fish completion of adj: `adj completion fish | source`\n"
    "function __adj_complete\n"
    "    set -l words (commandline --tokenize --cut-at-cursor --current-process)\n"
    "    set -l typed (commandline --current-token --cut-at-cursor)\n"
    "    set -l lines (adj" ASK "$words[2..] \"$typed\" 2>/dev/null)\n"
    "    if test \"$lines[-1]\" = :0\n"
    "        __fish_complete_path (string replace --regex '^-.*?=' '' -- $typed)\n"
    "    else\n"
    "        string match --invert --regex '^:' -- $lines\n"
    "    end\n"
    "end\n"
    "complete --command adj --no-files --arguments '(__adj_complete)'\n"
    "complete --command kubectl-adj --no-files --arguments '(__adj_complete)'\n";

static const char *const SHELLS[] = {"bash", "zsh", "fish", NULL};
static const char *const SCRIPTS[] = {BASH, ZSH, FISH};

static enum exit_code run(struct cli *cli)
{
    for (size_t i = 0; SHELLS[i] != NULL; i++) {
        if (text_equal(SHELLS[i], cli->operands.items[0])) {
            cli_print(cli, SCRIPTS[i]);
        }
    }
    return CLI_OK;
}

const struct command command_completion = {
    .name = "completion",
    .operands = "SHELL",
    .summary = "Make a shell complete command lines of adj: bash, zsh or fish",
    .details =
        "Commands, options and their values, and the names of Instances, Pools and namespaces of "
        "the\ncluster. `make install` puts it where the shells look for it. For one shell "
        "alone:\n\n"
        "  bash  source <(adj completion bash)\n"
        "  zsh   source <(adj completion zsh), behind compinit\n"
        "  fish  adj completion fish | source\n\n"
        "`kubectl adj` is completed by kubectl's own completion, if adj is in PATH as "
        "kubectl_complete-adj,\ntoo.\n",
    .operand_count_min = 1,
    .operand_count_max = 1,
    .operand_choices = SHELLS,
    .run = run,
};
