package dev.kopf4j.json;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes small documents of few keys, so that two of them often collide. The same seed makes the same documents. */
public final class RandomJson {
    private static final List<String> KEYS = List.of("a", "b", "c", "x/y", "t~d", "~1", "");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Random random;

    private RandomJson(long seed) {
        random = new Random(seed);
    }

    /** Runs the check with that many generators of successive seeds; a failure names the seed. */
    public static void forEachSeed(int count, Consumer<RandomJson> check) {
        for (long seed = 0; seed < count; seed++) {
            try {
                check.accept(new RandomJson(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("with seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    public ObjectNode object() {
        return object(3);
    }

    public JsonNode value() {
        return value(3);
    }

    /** Answers a copy with some fields changed, so that most of both documents is the same. */
    public ObjectNode mutated(ObjectNode original) {
        ObjectNode mutated = original.deepCopy();
        for (String key : List.copyOf(mutated.propertyNames())) {
            switch (random.nextInt(5)) {
                case 0 -> mutated.remove(key);
                case 1 -> mutated.set(key, value(2));
                case 2 -> {
                    if (mutated.get(key) instanceof ObjectNode nested) {
                        mutated.set(key, mutated(nested));
                    } else if (mutated.get(key) instanceof ArrayNode list) {
                        mutate(list);
                    }
                }
                default -> {}
            }
        }
        return random.nextBoolean() ? mutated : mutated.setAll(object(1));
    }

    private void mutate(ArrayNode list) {
        if (!list.isEmpty() && random.nextBoolean()) {
            list.remove(random.nextInt(list.size()));
        } else {
            list.insert(random.nextInt(list.size() + 1), value(1));
        }
    }

    private ObjectNode object(int depth) {
        ObjectNode object = NODES.objectNode();
        for (int count = random.nextInt(5); count > 0; count--) {
            object.set(KEYS.get(random.nextInt(KEYS.size())), value(depth - 1));
        }
        return object;
    }

    private JsonNode value(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 6)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt(3));
            case 3 -> NODES.numberNode((double) random.nextInt(3));
            case 4 -> NODES.stringNode(String.valueOf((char) ('p' + random.nextInt(3))));
            case 5 -> NODES.numberNode(random.nextLong());
            case 6 -> array(depth);
            default -> object(depth);
        };
    }

    private ArrayNode array(int depth) {
        ArrayNode array = NODES.arrayNode();
        for (int count = random.nextInt(5); count > 0; count--) {
            array.add(value(depth - 1));
        }
        return array;
    }
}
