package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Amounts of resources by their names. Immutable. */
record Amounts(Map<String, Amounts.Amount> values) {
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    /**
     * An amount.
     *
     * @param binary whether messages show it by powers of 1024, as whoever has written it
     */
    record Amount(BigDecimal value, boolean binary) {
        static Amount of(String text) {
            return new Amount(Quantity.value(text), text.endsWith("i"));
        }

        Amount plus(Amount other) {
            return new Amount(value.add(other.value), binary);
        }

        Amount orMore(Amount other) {
            return value.compareTo(other.value) >= 0 ? this : other;
        }

        @Override
        public String toString() {
            boolean whole = binary && value.remainder(KIBI).signum() == 0;
            BigDecimal shown = (whole ? value.divide(KIBI) : value).stripTrailingZeros();
            return Quantity.canonical(shown.toPlainString() + (whole ? "Ki" : ""));
        }
    }

    static Amounts of(JsonNode list) {
        Map<String, Amount> values = new TreeMap<>();
        list.properties()
                .forEach(each ->
                        values.put(each.getKey(), Amount.of(each.getValue().asString("0"))));
        return new Amounts(values);
    }

    /**
     * What a pod needs: {@code podRequests} and {@code podLimits} in {@code limitranger/admission.go}. Containers that
     * begin before the others count if one of them needs more than all others together.
     */
    static Amounts ofPod(JsonNode spec, String field) {
        Map<String, Amount> sum = new TreeMap<>();
        spec.path("containers").forEach(each -> add(sum, each, field));
        Map<String, Amount> beside = new TreeMap<>();
        Map<String, Amount> first = new TreeMap<>();
        for (JsonNode container : spec.path("initContainers")) {
            Map<String, Amount> needed = new TreeMap<>();
            if (Json.string(container, "restartPolicy").equals("Always")) {
                add(beside, container, field);
                needed.putAll(beside);
                add(sum, container, field);
            } else {
                needed.putAll(beside);
                add(needed, container, field);
            }
            needed.forEach((name, value) -> first.merge(name, value, Amount::orMore));
        }
        first.forEach((name, value) -> sum.merge(name, value, Amount::orMore));
        return new Amounts(sum);
    }

    private static void add(Map<String, Amount> sum, JsonNode container, String field) {
        of(container.path("resources").path(field))
                .values()
                .forEach((name, value) -> sum.merge(name, value, Amount::plus));
    }

    Optional<Amount> get(String name) {
        return Optional.ofNullable(values.get(name));
    }
}
