# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# `adj connect`: a pod's Postgres from here, over WebSockets through the real API server, kubelet
# and containerd.

connect() { adj connect bob -n dev "$@"; }

check_connect_runs_psql_as_the_owner() {
    adj clone bob -n dev --pool adjoint-pools/shop --wait --timeout 3m
    expect "marker" 42 "$(connect -- -Atc 'select answer from marker')"
    expect "user and database" "$(instance_field bob connection.user),app" \
        "$(connect -- -At -F, -c 'select current_user, current_database()')"
    expect "from psql's stdin" 7 "$(echo 'select 3 + 4;' | connect -- -At)"
}

check_connect_has_psqls_exit_code() {
    local code=0
    connect -- -c 'select 1/0' || code=$?
    expect "of a statement that fails" 1 "$code"
    code=0
    echo 'select 1/0;' | connect -- -v ON_ERROR_STOP=1 || code=$?
    expect "of a script that stops" 3 "$code"
}

# 16 MB down and up again.
check_connect_carries_much() {
    local sql="select md5(n::text) from generate_series(1, 500000) n order by n" directory
    directory=$(mktemp -d)
    connect -- -Atc "$sql" >"$directory/words"
    {
        echo 'create temporary table up (n serial, word text);'
        echo 'copy up (word) from stdin;'
        cat "$directory/words"
        echo '\.'
        echo "select md5(string_agg(word, '' order by n)) from up;"
    } >"$directory/script"
    expect "rows" 500000 "$(wc -l <"$directory/words")"
    expect "their sum" "$(tr -d '\n' <"$directory/words" | md5sum | cut -c1-32)" \
        "$(connect -- -Atqf "$directory/script")"
    rm -r "$directory"
}

# NUMBER: by a psql of its own, through what `adj connect --address` has printed
by_address() {
    PGPASSWORD=$password psql -h 127.0.0.1 -p "${address#*:}" -U "$user" -Atc \
        "select $1 from pg_sleep(0.5)" app
}

check_an_address_serves_many_at_once_and_in_turn() {
    local address password user forwarder number directory queries=()
    directory=$(mktemp -d)
    user=$(instance_field bob connection.user)
    password=$(kubectl -n dev get secret "$(instance_field bob connection.secret)" \
        -o jsonpath='{.data.password}' | base64 -d)
    mkfifo "$directory/address"
    "$operator_bin/adj" connect bob -n dev --address >"$directory/address" &
    forwarder=$!
    read -r address <"$directory/address"
    for number in $(seq 20); do
        by_address "$number" >"$directory/$number" &
        queries+=($!)
    done
    wait "${queries[@]}"
    for number in $(seq 20); do expect "at once" "$number" "$(cat "$directory/$number")"; done
    for number in $(seq 5); do expect "in turn" "$number" "$(by_address "$number")"; done
    kill -TERM "$forwarder"
    wait "$forwarder"
    rm -r "$directory"
}

check_who_may_not_forward_is_told_what_to_paste() {
    local code=0 out directory
    directory=$(mktemp -d)
    kubectl -n dev create serviceaccount reader >/dev/null
    kubectl -n dev create role reader --verb=get \
        --resource=instances.adjoint.dev,secrets,clusters.postgresql.cnpg.io >/dev/null
    kubectl -n dev create rolebinding reader --role=reader --serviceaccount=dev:reader >/dev/null
    kubectl config view --raw --flatten >"$directory/kubeconfig"
    export KUBECONFIG=$directory/kubeconfig
    kubectl config set-credentials reader --token="$(kubectl -n dev create token reader)" >/dev/null
    kubectl config set-context --current --user=reader >/dev/null
    out=$(connect -- -c 'select 1' 2>"$directory/err") || code=$?
    expect "exit code" 1 "$code"
    [[ $out == *"kubectl -n dev port-forward service/bob-rw 5432"* ]]
    grep "it takes the verbs get and create on pods/portforward" "$directory/err"
    rm -r "$directory"
}

check_connect_says_when_there_is_nothing_to_connect_to() {
    local code=0
    adj delete bob -n dev
    wait_for 120 "the Instance is gone" instance_gone bob
    connect || code=$?
    expect "exit code" 1 "$code"
}
