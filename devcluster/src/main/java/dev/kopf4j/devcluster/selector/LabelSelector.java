package dev.kopf4j.devcluster.selector;

import dev.kopf4j.devcluster.selector.LabelRequirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Requirements on labels, all of which must hold. Immutable. */
public final class LabelSelector {
    /** Matches everything. */
    public static final LabelSelector ALL = new LabelSelector(List.of());

    private final List<LabelRequirement> requirements;

    LabelSelector(List<LabelRequirement> requirements) {
        this.requirements = List.copyOf(requirements);
    }

    /**
     * Reads the form of query parameters: {@code a=b,c in (d,e),!f}.
     *
     * @throws dev.kopf4j.devcluster.status.ApiException 400 if the text is no selector
     */
    public static LabelSelector parse(String text) {
        return text.isBlank() ? ALL : new LabelSelectorParser(text).parse();
    }

    /**
     * Reads the form of objects: {@code matchLabels} and {@code matchExpressions}; LabelSelectorAsSelector of
     * {@code pkg/apis/meta/v1/helpers.go} of apimachinery, v1.33; with the operators that node affinities have besides.
     */
    public static LabelSelector of(JsonNode selector) {
        List<LabelRequirement> requirements = new ArrayList<>();
        selector.path("matchLabels")
                .properties()
                .forEach(entry -> requirements.add(new LabelRequirement(
                        entry.getKey(), Operator.IN, Set.of(entry.getValue().stringValue()))));
        for (JsonNode expression : selector.path("matchExpressions")) {
            Set<String> values = new TreeSet<>();
            expression.path("values").forEach(value -> values.add(value.stringValue()));
            Operator operator = switch (expression.path("operator").stringValue()) {
                case "In" -> Operator.IN;
                case "NotIn" -> Operator.NOT_IN;
                case "Exists" -> Operator.EXISTS;
                case "Gt" -> Operator.GREATER;
                case "Lt" -> Operator.LESS;
                default -> Operator.ABSENT;
            };
            requirements.add(new LabelRequirement(expression.path("key").stringValue(), operator, values));
        }
        return new LabelSelector(requirements);
    }

    /** True if an object's labels fit; a missing node has none. */
    public boolean matches(JsonNode labels) {
        return requirements.stream().allMatch(requirement -> requirement.holds(labels));
    }

    /** True if it matches everything. */
    public boolean isEmpty() {
        return requirements.isEmpty();
    }

    /** The selector in the form that {@link #parse} reads, requirements sorted. */
    public String toText() {
        return requirements.stream().map(LabelRequirement::toText).sorted().collect(Collectors.joining(","));
    }
}
