# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Production's data in a clone: the statements of a ConfigMap, the passwords of inherited roles, a
# subscription that came along, a login with the Secret, and what the clone may reach.

inherited=inherited-password

golden_query() {
    kubectl -n adjoint-pools exec golden-1 -c postgres -- psql -U postgres -At app -c "$1"
}

# One that follows a publication of its own database: in the clone, too, it has all it needs.
golden_like_production() {
    golden_query "create role reporter login password '$inherited'"
    golden_query "create table clients (mail text primary key)"
    golden_query "insert into clients values ('alice@example.com')"
    golden_query "grant select on clients to app, reporter"
    golden_query "create publication orders for table clients"
    golden_query "select pg_create_logical_replication_slot('feed', 'pgoutput')"
    golden_query "create subscription feed connection
        'host=/controller/run user=postgres dbname=app' publication orders
        with (create_slot = false, copy_data = false)"
    wait_for 60 "the golden's subscription is followed" golden_follows
}
golden_drops_slot() { golden_query "select pg_drop_replication_slot('feed')"; }
golden_follows() { [[ $(golden_query "$workers") != 0 ]]; }
workers="select count(*) from pg_stat_activity where backend_type = 'logical replication worker'"

strict_pool() { # GOLDEN
    kubectl apply -f - <<YAML
apiVersion: adjoint.dev/v1alpha1
kind: Pool
metadata: {name: strict, namespace: adjoint-pools}
spec:
  golden: {snapshot: $1}
  size: 1
  storage: {storageClassName: fsx-clone}
  allowedNamespaces: {from: All}
  cluster: {imageName: "localhost/postgresql:15", imagePullPolicy: IfNotPresent}
  credentials: {scrambleRoles: true, proveLogin: true}
  sanitize: {configMap: {name: mask, keys: [jobs.sql, mail.sql]}}
  networkPolicy: {egress: Deny}
YAML
}

statements() { # SQL: of key mail.sql
    kubectl -n adjoint-pools create configmap mask --dry-run=client -o yaml \
        --from-literal=jobs.sql="alter subscription feed disable;" \
        --from-literal=mail.sql="$1" |
        kubectl label --local -f - adjoint.dev/role=sanitize -o yaml | kubectl apply -f -
}

secret_value() { # INSTANCE KEY
    kubectl -n dev get secret "$(instance_field "$1" binding.name)" \
        -o "jsonpath={.data.$2}" | base64 -d
}
login() { # INSTANCE USER PASSWORD: from its own pod, by the Service's name
    kubectl -n dev exec "$1-1" -c postgres -- env PGPASSWORD="$3" PGCONNECT_TIMEOUT=5 \
        psql -h "$1-rw.dev.svc" -U "$2" -At app -c 'select mail from clients'
}
owner_logs_in() { login "$1" app "$(secret_value "$1" password)"; }

policy_field() { kubectl -n dev get networkpolicy "$1-adjoint" -o "jsonpath={$2}"; }
policy_is_there() { [[ -n $(policy_field "$1" .metadata.uid) ]]; }
policy_gone() { ! kubectl -n dev get networkpolicy "$1-adjoint"; }

check_statements_that_are_missing_are_said_before_a_clone_is_spent() {
    golden_like_production
    strict_pool "$("$here/rig/golden")"
    wait_for 180 "a warm clone" pool_warm_is strict 1
    wait_for 30 "the Pool says so" pool_reason_is strict Ready StatementsMissing
    adj clone masked -n dev --pool adjoint-pools/strict --no-wait
    wait_for 30 "StatementsMissing" instance_reason_is masked Eligible StatementsMissing
    expect "clones claimed" 0 "$(pool_field strict claimed)"
}

check_nobody_is_let_in_before_it_is_sanitized() {
    statements "do \$\$ begin while not exists (select from pg_class where relname = 'go_on') loop
        perform pg_sleep(0.2); end loop; end \$\$;
        update clients set mail = 'x@example.invalid'; drop table go_on;"
    wait_for 90 "its pod runs" instance_reason_is masked Ready Sanitizing
    policy_is_there masked
    expect "rows as they were" alice@example.com "$(query masked 'select mail from clients')"
    expect "workers" 0 "$(query masked "$workers")"
    expect "workers allowed" 0 "$(query masked 'show max_logical_replication_workers')"
    ! owner_logs_in masked || return 1
    ! login masked reporter "$inherited" || return 1
    expect "connection" "" "$(instance_field masked connection.secret)"
    query masked 'create table go_on ()'
}

check_sanitized_before_it_is_ready() {
    wait_for 180 "Ready" instance_phase_is masked Ready
    expect "rows" x@example.invalid "$(query masked 'select mail from clients')"
    expect "its owner sees" x@example.invalid "$(owner_logs_in masked)"
    ! login masked reporter "$inherited" || return 1
    expect "inherited passwords" 0 "$(query masked "select count(*) from pg_authid
        where rolname = 'reporter' and rolpassword is not null")"
    expect "workers allowed" 4 "$(query masked 'show max_logical_replication_workers')"
    expect "its subscription" f "$(query masked 'select subenabled from pg_subscription')"
    wait_for 60 "no Secret of a superuser" superuser_gone masked
    wait_for 30 "no pod of an errand" errands_gone
    expect "the golden's rows" alice@example.com "$(golden_query 'select mail from clients')"
}
superuser_gone() { ! kubectl -n dev get secret "$1-superuser"; }
errands_gone() { [[ -z $(kubectl -n dev get pods -l adjoint.dev/role=errand -o name) ]]; }

check_egress_stays_denied() {
    local generation uid
    expect "what it restricts" '["Egress"]' "$(policy_field masked .spec.policyTypes)"
    policy_closed masked
    generation=$(policy_field masked .metadata.generation)
    expect "written once" 1 "$generation"
    kubectl -n dev patch networkpolicy masked-adjoint --type=merge -p '{"spec":{"egress":[{}]}}'
    wait_for 30 "it is put right" policy_closed masked
    uid=$(policy_field masked .metadata.uid)
    kubectl -n dev delete networkpolicy masked-adjoint
    wait_for 30 "another" policy_is_there masked
    [[ $(policy_field masked .metadata.uid) != "$uid" ]]
}
policy_closed() { # but to the API server
    [[ $(policy_field "$1" '.spec.egress[*].to[*].ipBlock.cidr') == 10.200.0.1/32 ]]
}

check_statements_that_fail_let_nobody_in() {
    statements "update clients set mail = 'half'; select 1/0; update clients set mail = 'whole';"
    wait_for 180 "a warm clone" pool_has_warm strict
    adj clone broken -n dev --pool adjoint-pools/strict --no-wait
    wait_for 120 "SanitizeFailed" instance_reason_is broken Ready SanitizeFailed
    kubectl -n dev logs broken-adjoint-sanitize | grep 'division by zero'
    expect "phase" Failed "$(instance_field broken phase)"
    expect "workers" 0 "$(query broken "$workers")"
    ! owner_logs_in broken || return 1

    statements "update clients set mail = 'whole';"
    kubectl -n dev delete pod broken-adjoint-sanitize
    wait_for 180 "Ready" instance_phase_is broken Ready
    expect "its owner sees" whole "$(owner_logs_in broken)"
}

check_what_sanitized_goes_with_the_instances() {
    kubectl -n dev delete instance masked broken --timeout=180s
    wait_for 60 "no policy" policy_gone masked
    kubectl -n adjoint-pools delete pool strict --timeout=120s
    kubectl -n adjoint-pools delete configmap mask
    golden_query "alter subscription feed disable"
    golden_query "alter subscription feed set (slot_name = none)"
    golden_query "drop subscription feed"
    wait_for 30 "nobody follows" golden_drops_slot
    golden_query "drop publication orders"
    golden_query "drop table clients"
    golden_query "drop role reporter"
}
