package dev.kopf4j.devcluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rows of {@code kinds/kinds.yaml} hold whichever optional fields are given besides, in whatever order: any subset
 * of the defaults may be written out, except those of which others are made. More rounds by
 * {@code -Dkinds.rounds=1000}, others by {@code -Dkinds.seed=N}.
 */
class KindVariationsTest {
    private static final int ROUNDS = Integer.getInteger("kinds.rounds", 15);
    private static final long SEED = Long.getLong("kinds.seed", 20_261_123L);
    private static final String DRY = "?dryRun=All";
    private final InMemory cluster = new InMemory(UnaryOperator.identity());

    static List<KindTable> tables() {
        return KindTable.all();
    }

    @ParameterizedTest
    @MethodSource("tables")
    void rowsHoldWithAnySubsetOfTheDefaults(KindTable table) {
        Random random = new Random(SEED + table.title().hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            String what = table.title() + ", seed " + SEED + ", round " + round;
            fills(table, variation(table, random), what);
            refusesWithout(table, random, what);
        }
        if (table.stored()) {
            protects(table, random);
        }
    }

    private void fills(KindTable table, ObjectNode sent, String what) {
        ApiResponse response = cluster.send("POST", table.path() + DRY, Json.text(sent));
        String text = InMemory.text(response);
        assertThat(response.status()).as("%s: %s: %s", what, sent, text).isEqualTo(201);
        JsonNode made = Json.parse(text);
        rows(table.defaulted(), table, "defaulted ")
                .forEach(path -> assertThat(Paths.lookup(made, path))
                        .as("%s: %s of %s", what, path, sent)
                        .isEqualTo(table.defaulted().get(path)));
    }

    private void refusesWithout(KindTable table, Random random, String what) {
        List<String> required = rows(table.required(), table, "required ");
        if (!required.isEmpty()) {
            String path = required.get(random.nextInt(required.size()));
            ObjectNode sent = variation(table, random);
            Paths.remove(sent, path);
            assertThat(outcome("POST", table.path(), sent))
                    .as("%s: %s without %s", what, sent, path)
                    .isEqualTo(
                            Objects.requireNonNull(table.required().get(path)).stringValue());
        }
    }

    private void protects(KindTable table, Random random) {
        List<KindTable.Case> cases = table.immutable().stream()
                .filter(each -> !each.answer().equals("kept"))
                .filter(each -> !table.differs().containsKey("immutable " + each.path() + " " + each.value()))
                .toList();
        if (cases.isEmpty() || !table.more().isMissingNode()) {
            return;
        }
        cluster.send("POST", table.path(), Json.text(variation(table, random)));
        for (int round = 0; round < ROUNDS; round++) {
            KindTable.Case change = cases.get(random.nextInt(cases.size()));
            ObjectNode sent = (ObjectNode) cluster.get(table.item()).deepCopy();
            if (random.nextBoolean()) {
                Paths.set(sent, "metadata.annotations.round", Json.parse("\"" + round + "\""));
            }
            Paths.set(sent, change.path(), change.value());
            assertThat(outcome("PUT", table.item(), (ObjectNode) shuffled(sent, random)))
                    .as("%s, seed %d, round %d: %s", table.title(), SEED, round, change)
                    .isEqualTo(change.answer());
        }
    }

    /** The paths without those whose rows are known to differ. */
    private static List<String> rows(Map<String, JsonNode> rows, KindTable table, String section) {
        return rows.keySet().stream()
                .filter(path -> !table.differs().containsKey(section + path))
                .toList();
    }

    /** The object with some of its defaults written out, and its fields in another order. */
    private static ObjectNode variation(KindTable table, Random random) {
        ObjectNode object = table.copy();
        table.defaulted().forEach((path, value) -> {
            if (random.nextBoolean() && !table.basis().contains(path)) {
                Paths.set(object, path, value);
            }
        });
        return (ObjectNode) shuffled(object, random);
    }

    private static JsonNode shuffled(JsonNode value, Random random) {
        if (value instanceof ObjectNode object) {
            List<String> names = new ArrayList<>(object.propertyNames());
            Collections.shuffle(names, random);
            ObjectNode shuffled = Json.object();
            names.forEach(name -> shuffled.set(name, shuffled(object.get(name), random)));
            return shuffled;
        }
        if (value.isArray()) {
            ArrayNode copy = Json.array();
            value.forEach(item -> copy.add(shuffled(item, random)));
            return copy;
        }
        return value;
    }

    private String outcome(String method, String target, ObjectNode body) {
        ApiResponse response = cluster.send(method, target + DRY, Json.text(body));
        return KindCheck.outcome(response, Json.parse(InMemory.text(response)));
    }
}
