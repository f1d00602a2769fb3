package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Limit ranges: the limits of containers have defaults that depend on each other, {@code SetDefaults_LimitRangeItem} in
 * {@code pkg/apis/core/v1/defaults.go}, v1.33; {@link LimitRangeValidation} checks them.
 */
final class LimitRangeStrategy implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft draft) {
        for (JsonNode limit : draft.next().path("spec").path("limits")) {
            if (Json.string(limit, "type").equals("Container")) {
                ObjectNode item = (ObjectNode) limit;
                fill(item, "default", limit.path("max"));
                fill(item, "defaultRequest", limit.path("default"));
                fill(item, "defaultRequest", limit.path("min"));
            }
        }
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        LimitRangeValidation.check(draft.next().path("spec").path("limits"), checks);
    }

    private static void fill(ObjectNode item, String field, JsonNode from) {
        for (Map.Entry<String, JsonNode> amount : from.properties()) {
            ObjectNode target = Json.child(item, field);
            if (!target.has(amount.getKey())) {
                target.set(amount.getKey(), amount.getValue());
            }
        }
    }

    /** Limit ranges: {@code ValidateLimitRange} in {@code pkg/apis/core/validation/validation.go}, v1.33. Pure. */
    private static final class LimitRangeValidation {
        private final JsonNode limit;
        private final String path;
        private final FieldChecks checks;

        private LimitRangeValidation(JsonNode limit, String path, FieldChecks checks) {
            this.limit = limit;
            this.path = path;
            this.checks = checks;
        }

        static void check(JsonNode limits, FieldChecks checks) {
            Set<String> types = new HashSet<>();
            int index = 0;
            for (JsonNode limit : limits) {
                String path = "spec.limits[" + index++ + "]";
                String type = Json.string(limit, "type");
                for (String problem : ResourceNames.qualifiedProblems(type)) {
                    checks.problem(problem, path + ".type", type);
                }
                if (!type.contains("/")
                        && !Set.of("Pod", "Container", "PersistentVolumeClaim").contains(type)) {
                    checks.problem("must be a standard limit type or fully qualified", path + ".type", type);
                }
                if (!types.add(type)) {
                    checks.add(FieldError.duplicate(path + ".type", FieldError.quote(type)));
                }
                new LimitRangeValidation(limit, path, checks).check(type);
            }
        }

        private void check(String type) {
            boolean ofPods = type.equals("Pod");
            List<String> fields = ofPods ? List.of("max", "min") : List.of("max", "min", "default", "defaultRequest");
            Set<String> resources = new TreeSet<>();
            for (String field : fields) {
                names(type, field, resources);
            }
            if (ofPods) {
                for (String field : List.of("default", "defaultRequest")) {
                    if (!limit.path(field).isEmpty()) {
                        checks.add(
                                FieldError.forbidden(path + "." + field, "may not be specified when `type` is 'Pod'"));
                    }
                }
            }
            if (type.equals("PersistentVolumeClaim")
                    && !limit.path("min").has("storage")
                    && !limit.path("max").has("storage")) {
                checks.add(FieldError.required(
                        path + ".limits",
                        "either minimum or maximum storage value is required, but neither was provided"));
            }
            names(type, "maxLimitRequestRatio", resources);
            resources.forEach(resource -> amounts(resource, ofPods));
        }

        private void names(String type, String field, Set<String> resources) {
            for (String resource : limit.path(field).propertyNames()) {
                resources.add(resource);
                String where = path + "." + field + "[" + resource + "]";
                if (type.equals("Pod") || type.equals("Container")) {
                    ResourceNames.checkOfContainer(resource, where, checks);
                } else {
                    ResourceNames.check(resource, where, checks);
                }
            }
        }

        private @Nullable BigDecimal amount(String field, String resource) {
            String text = Json.string(limit, field, resource);
            return text.isEmpty() ? null : Quantity.value(text);
        }

        private void amounts(String resource, boolean ofPods) {
            BigDecimal usual = ofPods ? null : amount("default", resource);
            BigDecimal request = ofPods ? null : amount("defaultRequest", resource);
            atMost(
                    amount("min", resource),
                    amount("max", resource),
                    "min",
                    resource,
                    "min value is greater than max value");
            atMost(
                    amount("min", resource),
                    request,
                    "defaultRequest",
                    resource,
                    "min value is greater than default request value");
            atMost(
                    request,
                    amount("max", resource),
                    "defaultRequest",
                    resource,
                    "default request value is greater than max value");
            atMost(
                    request,
                    usual,
                    "defaultRequest",
                    resource,
                    "default request value is greater than default limit value");
            atMost(amount("min", resource), usual, "default", resource, "min value is greater than default value");
            atMost(usual, amount("max", resource), "default", resource, "default value is greater than max value");
            ratio(resource);
            boolean overcommits = ResourceNames.isNative(resource) && !resource.startsWith("hugepages-");
            if (!overcommits && usual != null && request != null && usual.compareTo(request) != 0) {
                invalid("defaultRequest", resource, "default value must equal to defaultRequest value in " + resource);
            }
        }

        private void atMost(
                @Nullable BigDecimal least, @Nullable BigDecimal most, String field, String resource, String problem) {
            if (least != null && most != null && least.compareTo(most) > 0) {
                invalid(field, resource, problem);
            }
        }

        private void ratio(String resource) {
            BigDecimal ratio = amount("maxLimitRequestRatio", resource);
            if (ratio == null) {
                return;
            }
            if (ratio.compareTo(BigDecimal.ONE) < 0) {
                invalid("maxLimitRequestRatio", resource, "ratio " + ratio + " is less than 1");
            }
            BigDecimal least = amount("min", resource);
            BigDecimal most = amount("max", resource);
            if (least != null && most != null && least.signum() != 0) {
                BigDecimal largest = most.divide(least, MathContext.DECIMAL64);
                if (ratio.compareTo(largest) > 0) {
                    invalid(
                            "maxLimitRequestRatio",
                            resource,
                            "ratio " + ratio + " is greater than max/min = " + largest);
                }
            }
        }

        private void invalid(String field, String resource, String problem) {
            checks.problem(problem, path + "." + field + "[" + resource + "]", Json.string(limit, field, resource));
        }
    }
}
