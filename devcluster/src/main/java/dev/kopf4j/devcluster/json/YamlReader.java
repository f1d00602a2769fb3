package dev.kopf4j.devcluster.json;

import dev.kopf4j.json.JsonLimits;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads YAML into JSON trees, as {@code sigs.k8s.io/yaml} does for kubectl and API servers. Stateless; loaded only when
 * a client sends YAML.
 */
public final class YamlReader {
    /** More than the longest body that the server accepts. */
    static final int MAX_LENGTH = 16 << 20;

    private static final double LONG_MAX = 0x1p63;

    private YamlReader() {}

    /** All documents of a text, without empty ones; {@code YamlEngineException} if it is not YAML. */
    public static List<JsonNode> documents(String text) {
        LoadSettings settings = LoadSettings.builder()
                .setSchema(new GoSchema())
                .setAllowDuplicateKeys(true)
                .setCodePointLimit(MAX_LENGTH)
                .build();
        List<JsonNode> documents = new ArrayList<>();
        try {
            for (Object document : new Load(settings).loadAllFromString(text)) {
                if (document != null) {
                    documents.add(node(document, 0));
                }
            }
        } catch (StackOverflowError e) {
            throw new YamlEngineException("nested too deeply", e); // the library has no limit of its own
        }
        return documents;
    }

    /** Plain scalars as in {@code resolve.go} of go-yaml v2: YAML 1.1 without numbers to the base of 60. */
    private static final class GoSchema extends CoreSchema {
        private static final Set<String> TRUE =
                Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
        private static final Set<String> FALSE =
                Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
        /** Octal before decimal: 08 is no octal number. */
        private static final List<Map.Entry<Pattern, Integer>> BASES = List.of(
                Map.entry(Pattern.compile("([-+]?)0[oO]?([0-7]+)"), 8),
                Map.entry(Pattern.compile("([-+]?)([0-9]+)"), 10),
                Map.entry(Pattern.compile("([-+]?)0[xX]([0-9a-fA-F]+)"), 16),
                Map.entry(Pattern.compile("([-+]?)0[bB]([01]+)"), 2));

        @Override
        public ScalarResolver getScalarResolver() {
            ScalarResolver core = super.getScalarResolver();
            return (text, implicit) -> {
                if (implicit && (TRUE.contains(text) || FALSE.contains(text))) {
                    return Tag.BOOL;
                }
                return implicit && whole(text).isPresent() ? Tag.INT : core.resolve(withoutUnderscores(text), implicit);
            };
        }

        @Override
        public Map<Tag, ConstructNode> getSchemaTagConstructors() {
            Map<Tag, ConstructNode> constructors = new HashMap<>(super.getSchemaTagConstructors());
            ConstructNode real = Objects.requireNonNull(constructors.get(Tag.FLOAT));
            constructors.put(Tag.BOOL, node -> TRUE.contains(text(node)));
            constructors.put(
                    Tag.INT,
                    node -> whole(text(node))
                            .orElseThrow(() -> new YamlEngineException("no whole number: " + text(node))));
            constructors.put(
                    Tag.FLOAT,
                    node -> real.construct(
                            new ScalarNode(Tag.FLOAT, withoutUnderscores(text(node)), ScalarStyle.PLAIN)));
            return constructors;
        }

        private static String text(Node node) {
            return ((ScalarNode) node).getValue();
        }

        private static Optional<Number> whole(String text) {
            String plain = withoutUnderscores(text);
            for (Map.Entry<Pattern, Integer> base : BASES) {
                Matcher matcher = base.getKey().matcher(plain);
                if (matcher.matches()) {
                    return Optional.of(smallest(new BigInteger(matcher.group(1) + matcher.group(2), base.getValue())));
                }
            }
            return Optional.empty();
        }

        private static Number smallest(BigInteger number) {
            if (number.bitLength() >= Long.SIZE) {
                return number;
            }
            long value = number.longValue();
            return (int) value == value ? (Number) (int) value : (Number) value;
        }

        private static String withoutUnderscores(String text) {
            boolean number = !text.isEmpty() && "+-0123456789".indexOf(text.charAt(0)) >= 0;
            return number ? text.replace("_", "") : text;
        }
    }

    private static void limit(int depth) {
        if (depth > JsonLimits.SERVER_LEVELS_MAX) {
            throw new YamlEngineException("nested deeper than " + JsonLimits.SERVER_LEVELS_MAX + " levels");
        }
    }

    private static JsonNode node(@Nullable Object value, int depth) {
        limit(depth); // aliases may make a document deeper than it is written
        JsonNodeFactory factory = JsonNodeFactory.instance;
        return switch (value) {
            case null -> factory.nullNode();
            case Map<?, ?> map -> object(map, depth + 1);
            case Iterable<?> list -> array(list, depth + 1);
            case Boolean flag -> factory.booleanNode(flag);
            case Integer number -> factory.numberNode(number);
            case Long number -> factory.numberNode(number);
            case BigInteger number -> factory.numberNode(number);
            case Double number -> {
                if (number.isNaN() || number.isInfinite()) {
                    throw new YamlEngineException("json: unsupported value: " + number);
                }
                boolean whole = number == Math.rint(number) && Math.abs(number) < LONG_MAX;
                yield whole
                        ? factory.numberNode(number.longValue())
                        : factory.numberNode(java.math.BigDecimal.valueOf(number));
            }
            default -> factory.stringNode(value.toString());
        };
    }

    private static ObjectNode object(Map<?, ?> map, int depth) {
        ObjectNode object = Json.object();
        map.forEach((key, value) -> object.set(String.valueOf(key), node(value, depth)));
        return object;
    }

    private static ArrayNode array(Iterable<?> list, int depth) {
        ArrayNode array = Json.array();
        list.forEach(item -> array.add(node(item, depth)));
        return array;
    }
}
