package dev.kopf4j.devcluster.selector;

import dev.kopf4j.devcluster.selector.LabelRequirement.Operator;
import dev.kopf4j.devcluster.status.ApiException;
import java.math.BigInteger;
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

    /**
     * Reads label selectors of query parameters, with the messages of {@code pkg/labels/selector.go} of apimachinery,
     * v1.33. Confined to one thread.
     */
    private static final class LabelSelectorParser {
        private final LabelSelectorTokens tokens;

        LabelSelectorParser(String text) {
            tokens = new LabelSelectorTokens(text);
        }

        LabelSelector parse() {
            List<LabelRequirement> requirements = new ArrayList<>();
            while (true) {
                requirements.add(requirement());
                String token = tokens.next();
                if (token.isEmpty()) {
                    return new LabelSelector(requirements);
                }
                if (!token.equals(",")) {
                    throw refused("found '" + token + "', expected: ',' or 'end of string'");
                }
                String following = tokens.peek();
                if (!LabelSelectorTokens.isWord(following) && !following.equals("!")) {
                    throw refused("found '" + following + "', expected: identifier after ','");
                }
            }
        }

        private LabelRequirement requirement() {
            if (tokens.peek().equals("!")) {
                tokens.next();
                return new LabelRequirement(key(), Operator.ABSENT, Set.of());
            }
            String key = key();
            String operator = tokens.peek();
            if (operator.isEmpty() || operator.equals(",")) {
                return new LabelRequirement(key, Operator.EXISTS, Set.of());
            }
            tokens.next();
            return switch (operator) {
                case "=", "==" -> new LabelRequirement(key, Operator.IN, Set.of(value()));
                case "!=" -> new LabelRequirement(key, Operator.NOT_IN, Set.of(value()));
                case "in" -> new LabelRequirement(key, Operator.IN, values());
                case "notin" -> new LabelRequirement(key, Operator.NOT_IN, values());
                case ">" -> new LabelRequirement(key, Operator.GREATER, Set.of(number(key)));
                case "<" -> new LabelRequirement(key, Operator.LESS, Set.of(number(key)));
                default -> throw unparseable("found '" + operator + "', expected: in, notin, =, ==, !=, gt, lt");
            };
        }

        private String key() {
            String token = tokens.next();
            if (!LabelSelectorTokens.isWord(token)) {
                throw unparseable("found '" + token + "', expected: !, identifier, or 'end of string'");
            }
            String wrong = LabelSyntax.key(token);
            if (!wrong.isEmpty()) {
                throw unparseable("key: Invalid value: \"" + token + "\": " + wrong);
            }
            return token;
        }

        private String number(String key) {
            String value = value();
            if (!value.matches("-?[0-9]{1,20}") || new BigInteger(value).bitLength() >= Long.SIZE) {
                throw unparseable("values[0][" + key + "]: Invalid value: \"" + value
                        + "\": for 'Gt', 'Lt' operators, the value must be an integer");
            }
            return value;
        }

        private String value() {
            String next = tokens.peek();
            return next.isEmpty() || next.equals(",") ? "" : checked(tokens.next());
        }

        private Set<String> values() {
            if (!tokens.peek().equals("(")) {
                throw unparseable("found '" + tokens.peek() + "' expected: '('");
            }
            tokens.next();
            Set<String> values = new TreeSet<>();
            while (true) {
                String token = tokens.next();
                switch (token) {
                    case ")" -> {
                        values.addAll(values.isEmpty() ? Set.of("") : Set.of());
                        return values;
                    }
                    case "," -> {
                        if (tokens.peek().equals(",") || tokens.peek().equals(")")) {
                            values.add("");
                        }
                    }
                    case "" -> throw unparseable("found '', expected: ',', or ')'");
                    default -> values.add(checked(token));
                }
            }
        }

        private static String checked(String value) {
            if (!LabelSelectorTokens.isWord(value)) {
                throw unparseable("found '" + value + "', expected: identifier");
            }
            String wrong = LabelSyntax.value(value);
            if (!wrong.isEmpty()) {
                throw unparseable("values[0]: Invalid value: \"" + value + "\": " + wrong);
            }
            return value;
        }

        private static ApiException unparseable(String message) {
            return refused("unable to parse requirement: " + message);
        }

        private static ApiException refused(String message) {
            return ApiException.badRequest(message);
        }

        /** The words and signs of a selector's text, one after the other. Confined to one thread. */
        private static final class LabelSelectorTokens {
            private static final String SIGNS = "=!(),<>";
            private final List<String> tokens = new ArrayList<>();
            private int position;

            LabelSelectorTokens(String text) {
                int start = 0;
                while (start < text.length()) {
                    int end = end(text, start);
                    if (!Character.isWhitespace(text.charAt(start))) {
                        tokens.add(text.substring(start, end));
                    }
                    start = end;
                }
            }

            private static int end(String text, int start) {
                if (text.startsWith("==", start) || text.startsWith("!=", start)) {
                    return start + 2;
                }
                int end = start + 1;
                if (isWordPart(text.charAt(start))) {
                    while (end < text.length() && isWordPart(text.charAt(end))) {
                        end++;
                    }
                }
                return end;
            }

            private static boolean isWordPart(char letter) {
                return !Character.isWhitespace(letter) && SIGNS.indexOf(letter) < 0;
            }

            /** True if a token is a word, not a sign or the end. */
            static boolean isWord(String token) {
                return !token.isEmpty() && isWordPart(token.charAt(0));
            }

            /** The next token, which stays; empty at the end. */
            String peek() {
                return position < tokens.size() ? tokens.get(position) : "";
            }

            /** Takes the next token; empty at the end. */
            String next() {
                String token = peek();
                position++;
                return token;
            }
        }
    }
}
