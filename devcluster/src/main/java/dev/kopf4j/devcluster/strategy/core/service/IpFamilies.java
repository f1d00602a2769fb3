package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sets the families of a service's addresses, in a cluster that has IPv4 alone: {@code initIPFamilyFields} in
 * {@code pkg/registry/core/service/storage/alloc.go}, v1.33. Used for one service.
 */
final class IpFamilies {
    private static final String POLICY = "spec.ipFamilyPolicy";
    private final JsonNode before;
    private final ObjectNode spec;
    private final FieldChecks checks = new FieldChecks();

    private IpFamilies(JsonNode before, ObjectNode spec) {
        this.before = before;
        this.spec = spec;
    }

    /**
     * Sets families and policy.
     *
     * @param before the spec before; missing for a new service
     * @return why they cannot be set; empty if they are
     */
    static List<FieldError> assign(JsonNode before, ObjectNode spec) {
        IpFamilies families = new IpFamilies(before, spec);
        if (ServiceType.of(spec).hasClusterIp() && !families.staysAsItIs()) {
            families.assign();
        }
        return families.checks.errors();
    }

    /** A service that would like two families stays as it is, whatever families the cluster has by now. */
    private boolean staysAsItIs() {
        return policy(spec).equals("PreferDualStack")
                && policy(before).equals("PreferDualStack")
                && Json.string(before, "type").equals(Json.string(spec, "type"))
                && same("clusterIPs")
                && same("ipFamilies");
    }

    private boolean same(String field) {
        return JsonEquality.same(before.path(field), spec.path(field));
    }

    private static String policy(JsonNode spec) {
        return Json.string(spec, "ipFamilyPolicy");
    }

    private boolean withoutSelector() {
        return Json.string(spec, "clusterIP").equals("None")
                && spec.path("selector").isEmpty();
    }

    private void assign() {
        if (policy(spec).isEmpty()) {
            String usual = withoutSelector() ? "RequireDualStack" : "SingleStack";
            spec.put("ipFamilyPolicy", policy(before).isEmpty() ? usual : policy(before));
        }
        ServiceAddressValidation.check(spec, before, checks);
        if (!checks.errors().isEmpty()) {
            return;
        }
        change();
        numbers();
        families();
        if (!checks.errors().isEmpty()) {
            return;
        }
        if (withoutSelector()) {
            anyFamily();
            return;
        }
        configured();
        if (checks.errors().isEmpty() && spec.path("ipFamilies").isEmpty()) {
            spec.set("ipFamilies", Json.array(List.of("IPv4")));
        }
    }

    private void change() {
        if (!before.isObject()) {
            return;
        }
        for (String field : List.of("clusterIPs", "ipFamilies")) {
            boolean single = policy(spec).equals("SingleStack");
            if (single && same(field) && spec.path(field).size() > 1) {
                spec.set(field, Json.array(List.of(spec.path(field).path(0).asString())));
            }
            int left = spec.path(field).size();
            if (!single && left > 0 && left < before.path(field).size()) {
                refuse("must be 'SingleStack' to release the secondary "
                        + (field.equals("clusterIPs") ? "cluster IP" : "IP family"));
            }
        }
    }

    private void numbers() {
        if (!policy(spec).equals("SingleStack")) {
            return;
        }
        String rule = "must be 'RequireDualStack' or 'PreferDualStack' when multiple ";
        if (spec.path("clusterIPs").size() == 2) {
            refuse(rule + "cluster IPs are specified");
        }
        if (spec.path("ipFamilies").size() == 2) {
            refuse(rule + "IP families are specified");
        }
    }

    private void refuse(String problem) {
        checks.problem(problem, POLICY, policy(spec));
    }

    /** The families of addresses are those that are not named. */
    private void families() {
        JsonNode addresses = spec.path("clusterIPs");
        List<String> names = new ArrayList<>();
        spec.path("ipFamilies").forEach(name -> names.add(name.asString()));
        for (int index = names.size(); index < addresses.size(); index++) {
            String address = addresses.get(index).asString();
            if (address.equals("None")) {
                break;
            }
            if (address.contains(":")) {
                String path = "spec.clusterIPs[" + index + "]";
                checks.add(FieldError.invalid(path, Json.text(addresses), "IPv6 is not configured on this cluster"));
            } else {
                names.add("IPv4");
            }
        }
        if (!names.isEmpty() && checks.errors().isEmpty()) {
            spec.set("ipFamilies", Json.array(names));
        }
    }

    /** A headless service without a selector may have endpoints of each family. */
    private void anyFamily() {
        if (spec.path("ipFamilies").isEmpty()) {
            spec.set("ipFamilies", Json.array(List.of("IPv4")));
        }
        ArrayNode names = (ArrayNode) spec.path("ipFamilies");
        if (names.size() == 1 && !policy(spec).equals("SingleStack")) {
            names.add(names.get(0).asString().equals("IPv4") ? "IPv6" : "IPv4");
        }
    }

    private void configured() {
        if (policy(spec).equals("RequireDualStack")) {
            refuse("this cluster is not configured for dual-stack services");
        }
        JsonNode names = spec.path("ipFamilies");
        for (int index = 0; index < names.size(); index++) {
            String name = names.get(index).asString();
            if (!name.equals("IPv4")) {
                checks.problem("not configured on this cluster", "spec.ipFamilies[" + index + "]", name);
            }
        }
    }
}
