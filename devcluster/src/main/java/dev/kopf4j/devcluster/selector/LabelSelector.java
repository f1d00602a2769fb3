package dev.kopf4j.devcluster.selector;

import dev.kopf4j.devcluster.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** A conjunction of requirements on labels. Immutable. */
public record LabelSelector(List<Requirement> requirements) {
    /** Matches everything. */
    public static final LabelSelector ALL = new LabelSelector(List.of());

    /** What one label must be. */
    public record Requirement(String key, Operator operator, Set<String> values) {
        boolean holds(JsonNode labels) {
            JsonNode label = labels.path(key);
            boolean present = label.isString();
            return switch (operator) {
                case IN -> present && values.contains(label.stringValue());
                case NOT_IN -> !present || !values.contains(label.stringValue());
                case EXISTS -> present;
                case ABSENT -> !present;
                case GREATER -> present && compare(label.stringValue()) > 0;
                case LESS -> present && compare(label.stringValue()) < 0;
            };
        }

        String toText() {
            String first = values.isEmpty() ? "" : values.iterator().next();
            String all = "(" + String.join(",", values) + ")";
            return switch (operator) {
                case EXISTS -> key;
                case ABSENT -> "!" + key;
                case NOT_IN -> key + " notin " + all;
                case IN -> values.size() == 1 ? key + "=" + first : key + " in " + all;
                case GREATER -> key + ">" + first;
                case LESS -> key + "<" + first;
            };
        }

        private int compare(String value) {
            try {
                return Long.compare(
                        Long.parseLong(value), Long.parseLong(values.iterator().next()));
            } catch (NumberFormatException e) {
                return 0; // a label that is no number satisfies neither side, as in Kubernetes
            }
        }
    }

    /** How a label is compared. */
    public enum Operator {
        /** One of the values. */
        IN,
        /** None of the values, or absent. */
        NOT_IN,
        /** Present. */
        EXISTS,
        /** Absent. */
        ABSENT,
        /** A greater number. */
        GREATER,
        /** A smaller number. */
        LESS
    }

    /** Whether an object's labels fit; a missing node has none. */
    public boolean matches(JsonNode labels) {
        return requirements.stream().allMatch(requirement -> requirement.holds(labels));
    }

    /** Whether it matches everything. */
    public boolean isEmpty() {
        return requirements.isEmpty();
    }

    /** The selector in the form that {@link #parse} reads, requirements sorted. */
    public String toText() {
        return requirements.stream().map(Requirement::toText).sorted().collect(Collectors.joining(","));
    }

    /** Reads {@code a=b,c in (d,e),!f}; 400 when it cannot be understood. */
    public static LabelSelector parse(String text) {
        return text.isBlank() ? ALL : new Parser(text).parse();
    }

    /** Reads the {@code matchLabels} and {@code matchExpressions} form. */
    public static LabelSelector of(JsonNode selector) {
        List<Requirement> requirements = new ArrayList<>();
        selector.path("matchLabels")
                .properties()
                .forEach(entry -> requirements.add(new Requirement(
                        entry.getKey(), Operator.IN, Set.of(entry.getValue().stringValue()))));
        for (JsonNode expression : selector.path("matchExpressions")) {
            Set<String> values = new TreeSet<>();
            expression.path("values").forEach(value -> values.add(value.stringValue()));
            requirements.add(new Requirement(
                    expression.path("key").stringValue(),
                    switch (expression.path("operator").stringValue()) {
                        case "In" -> Operator.IN;
                        case "NotIn" -> Operator.NOT_IN;
                        case "Exists" -> Operator.EXISTS;
                        default -> Operator.ABSENT;
                    },
                    values));
        }
        return new LabelSelector(requirements);
    }

    private static final class Parser {
        private static final String SPECIAL = "=!(),<>";
        private final List<String> tokens = new ArrayList<>();
        private int position;

        Parser(String text) {
            int index = 0;
            while (index < text.length()) {
                char letter = text.charAt(index);
                if (Character.isWhitespace(letter)) {
                    index++;
                } else if (SPECIAL.indexOf(letter) >= 0) {
                    boolean two = text.startsWith("==", index) || text.startsWith("!=", index);
                    tokens.add(text.substring(index, index + (two ? 2 : 1)));
                    index += two ? 2 : 1;
                } else {
                    int end = index;
                    while (end < text.length()
                            && !Character.isWhitespace(text.charAt(end))
                            && SPECIAL.indexOf(text.charAt(end)) < 0) {
                        end++;
                    }
                    tokens.add(text.substring(index, end));
                    index = end;
                }
            }
        }

        private String peek() {
            return position < tokens.size() ? tokens.get(position) : "";
        }

        private String next() {
            String token = peek();
            position++;
            return token;
        }

        LabelSelector parse() {
            List<Requirement> requirements = new ArrayList<>();
            while (true) {
                requirements.add(requirement());
                String token = next();
                if (token.isEmpty()) {
                    return new LabelSelector(requirements);
                }
                if (!token.equals(",")) {
                    throw refused("found '" + token + "', expected: ',' or 'end of string'");
                }
                if (!isWord(peek()) && !peek().equals("!")) {
                    throw refused("found '" + peek() + "', expected: identifier after ','");
                }
            }
        }

        private Requirement requirement() {
            if (peek().equals("!")) {
                next();
                return new Requirement(key(), Operator.ABSENT, Set.of());
            }
            String key = key();
            String operator = peek();
            if (operator.isEmpty() || operator.equals(",")) {
                return new Requirement(key, Operator.EXISTS, Set.of());
            }
            next();
            return switch (operator) {
                case "=", "==" -> new Requirement(key, Operator.IN, Set.of(value()));
                case "!=" -> new Requirement(key, Operator.NOT_IN, Set.of(value()));
                case "in" -> new Requirement(key, Operator.IN, values());
                case "notin" -> new Requirement(key, Operator.NOT_IN, values());
                case ">" -> new Requirement(key, Operator.GREATER, Set.of(number(key)));
                case "<" -> new Requirement(key, Operator.LESS, Set.of(number(key)));
                default ->
                    throw refused("unable to parse requirement: found '" + operator
                            + "', expected: in, notin, =, ==, !=, gt, lt");
            };
        }

        private String key() {
            String token = next();
            if (!isWord(token)) {
                throw refused("unable to parse requirement: found '" + token
                        + "', expected: !, identifier, or 'end of string'");
            }
            String wrong = LabelSyntax.key(token);
            if (!wrong.isEmpty()) {
                throw refused("unable to parse requirement: key: Invalid value: \"" + token + "\": " + wrong);
            }
            return token;
        }

        private String number(String key) {
            String value = value();
            if (!value.matches("-?[0-9]{1,18}")) {
                throw refused("unable to parse requirement: values[0][" + key + "]: Invalid value: \"" + value
                        + "\": for 'Gt', 'Lt' operators, the value must be an integer");
            }
            return value;
        }

        private String value() {
            if (peek().isEmpty() || peek().equals(",")) {
                return "";
            }
            return checked(next());
        }

        private Set<String> values() {
            if (!peek().equals("(")) {
                throw refused("unable to parse requirement: found '" + peek() + "' expected: '('");
            }
            next();
            Set<String> values = new TreeSet<>();
            while (true) {
                String token = next();
                switch (token) {
                    case ")" -> {
                        values.addAll(values.isEmpty() ? Set.of("") : Set.of());
                        return values;
                    }
                    case "," -> values.addAll(peek().equals(",") || peek().equals(")") ? Set.of("") : Set.of());
                    case "" -> throw refused("unable to parse requirement: found '', expected: ',', or ')'");
                    default -> values.add(checked(token));
                }
            }
        }

        private static String checked(String value) {
            if (SPECIAL.contains(value.substring(0, 1))) {
                throw refused("unable to parse requirement: found '" + value + "', expected: identifier");
            }
            String wrong = LabelSyntax.value(value);
            if (!wrong.isEmpty()) {
                throw refused("unable to parse requirement: values[0]: Invalid value: \"" + value + "\": " + wrong);
            }
            return value;
        }

        private static boolean isWord(String token) {
            return !token.isEmpty() && SPECIAL.indexOf(token.charAt(0)) < 0;
        }

        private static ApiException refused(String message) {
            return ApiException.badRequest(message);
        }
    }
}
