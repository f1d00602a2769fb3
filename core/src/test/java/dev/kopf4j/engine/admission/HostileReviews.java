package dev.kopf4j.engine.admission;

import dev.kopf4j.json.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes reviews that no API server would send, from one that it would. */
final class HostileReviews {
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1.5e300",
            "9".repeat(400),
            "1e999999999",
            "9".repeat(2000),
            "\"\"",
            "\"x\"",
            "\"..\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"" + "long ".repeat(2000) + "\"",
            "[]",
            "[null]",
            "[[1, \"2\"], {\"3\": 4}]",
            "{}",
            "{\"\": null}",
            "{\"name\": {\"name\": 1}}",
            "[".repeat(300) + "]".repeat(300),
            "{\"a\":".repeat(300) + "1" + "}".repeat(300),
            "[".repeat(100_000),
            "{\"a\":".repeat(50_000) + "1" + "}".repeat(50_000));

    private final Random random;

    HostileReviews(long seed) {
        this.random = new Random(seed);
    }

    /** The text of a review with some things gone wrong. */
    byte[] next() {
        ObjectNode review = random.nextBoolean()
                ? TestedWebhooks.creation("{'size': 1, 'list': [{'a': 'b'}]}")
                : TestedWebhooks.review(
                        random.nextBoolean() ? "UPDATE" : "DELETE", random.nextBoolean() ? object(1) : null, object(2));
        List<String> values = new ArrayList<>();
        for (int times = random.nextInt(4); times >= 0; times--) {
            hurt(review, values);
        }
        String text = Json.text(review);
        for (int number = 0; number < values.size(); number++) {
            text = text.replace("\"value-" + number + "\"", values.get(number));
        }
        return random.nextInt(3) == 0
                ? torn(text.getBytes(StandardCharsets.UTF_8))
                : text.getBytes(StandardCharsets.UTF_8);
    }

    private static String object(int size) {
        return "{'apiVersion': 'kopf.dev/v1', 'kind': 'KopfExample', 'metadata': {'name': 'x', 'namespace': 'ns',"
                + " 'uid': 'u', 'labels': {'a': 'b'}, 'annotations': {'c': 'd'}}, 'spec': {'size': " + size + "}}";
    }

    /** One change somewhere. Values that no tree can hold get a place, and are put there in the text. */
    private void hurt(ObjectNode review, List<String> values) {
        List<ObjectNode> places = new ArrayList<>();
        collect(review, places);
        ObjectNode place = places.get(random.nextInt(places.size()));
        List<String> keys = new ArrayList<>(place.propertyNames());
        if (keys.isEmpty()) {
            return;
        }
        String key = keys.get(random.nextInt(keys.size()));
        switch (random.nextInt(8)) {
            case 0 -> place.remove(key);
            case 1 -> place.set(key + " ", place.remove(key));
            default -> {
                place.put(key, "value-" + values.size());
                String value = VALUES.get(random.nextInt(VALUES.size()));
                values.add(random.nextInt(5) == 0 ? value + ",\"" + key + "\":" + value : value);
            }
        }
    }

    private static void collect(JsonNode node, List<ObjectNode> found) {
        if (node instanceof ObjectNode object) {
            found.add(object);
            object.values().forEach(value -> collect(value, found));
        } else if (node instanceof ArrayNode array) {
            array.forEach(value -> collect(value, found));
        }
    }

    /** Damage that knows nothing of JSON. */
    private byte[] torn(byte[] text) {
        int at = random.nextInt(text.length);
        return switch (random.nextInt(5)) {
            case 0 -> java.util.Arrays.copyOf(text, at);
            case 1 -> with(text, at, (byte) random.nextInt());
            case 2 -> inserted(text, at, new byte[] {(byte) 0xc3, (byte) 0x28, (byte) 0xff});
            case 3 -> inserted(text, at, new byte[] {0, 0, 0});
            default -> new String(text, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_16);
        };
    }

    private static byte[] with(byte[] text, int at, byte other) {
        byte[] copy = text.clone();
        copy[at] = other;
        return copy;
    }

    private static byte[] inserted(byte[] text, int at, byte[] more) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(text, 0, at);
        all.writeBytes(more);
        all.write(text, at, text.length - at);
        return all.toByteArray();
    }
}
