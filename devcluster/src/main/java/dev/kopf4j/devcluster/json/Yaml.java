package dev.kopf4j.devcluster.json;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads YAML into JSON trees. Stateless; loaded only when a client sends YAML. */
public final class Yaml {
    /** As deep as the JSON library reads. */
    private static final int MAX_DEPTH = 500;

    private Yaml() {}

    /** All documents of a text, empty ones left out; {@code YamlEngineException} when it is not YAML. */
    public static List<JsonNode> documents(String text) {
        LoadSettings settings = LoadSettings.builder()
                .setSchema(new CoreSchema())
                .setAllowDuplicateKeys(true)
                .setCodePointLimit(16 << 20)
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

    /** A key that its mapping already has, and the line where it stands again. */
    public record DuplicateKey(String name, int line) {}

    /** The keys that mappings of the first document have more than once. */
    public static List<DuplicateKey> duplicateKeys(String text) {
        List<DuplicateKey> found = new ArrayList<>();
        Deque<Level> levels = new ArrayDeque<>();
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(16 << 20).build();
        Parser events = new ParserImpl(settings, new StreamReader(settings, text));
        while (events.hasNext()) {
            Event event = events.next();
            switch (event.getEventId()) {
                case DocumentEnd -> {
                    return found;
                }
                case MappingStart, SequenceStart -> {
                    key(levels);
                    levels.push(new Level(event.getEventId() == Event.ID.MappingStart));
                }
                case MappingEnd, SequenceEnd -> levels.pop();
                case Scalar -> {
                    if (key(levels)) {
                        scalar(levels.getFirst(), (ScalarEvent) event, found);
                    }
                }
                case Alias -> key(levels);
                default -> {}
            }
        }
        return found;
    }

    /** A mapping or sequence that is being read. */
    private static final class Level {
        private final Set<String> names = new HashSet<>();
        private final boolean mapping;
        private boolean keyIsNext = true;

        Level(boolean mapping) {
            this.mapping = mapping;
        }
    }

    /** Whether the node that comes is a key of a mapping; the next one then is none. */
    private static boolean key(Deque<Level> levels) {
        Level level = levels.peek();
        if (level == null || !level.mapping) {
            return false;
        }
        boolean key = level.keyIsNext;
        level.keyIsNext = !key;
        return key;
    }

    private static void scalar(Level level, ScalarEvent key, List<DuplicateKey> found) {
        if (!level.names.add(key.getValue())) {
            int line = key.getStartMark().map(Mark::getLine).orElse(0) + 1;
            found.add(new DuplicateKey(key.getValue(), line));
        }
    }

    private static void limit(int depth) {
        if (depth > MAX_DEPTH) {
            throw new YamlEngineException("nested deeper than " + MAX_DEPTH + " levels");
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
            case java.math.BigInteger number -> factory.numberNode(number);
            case Double number -> {
                if (number.isNaN() || number.isInfinite()) {
                    throw new YamlEngineException("json: unsupported value: " + number);
                }
                yield factory.numberNode(java.math.BigDecimal.valueOf(number));
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
