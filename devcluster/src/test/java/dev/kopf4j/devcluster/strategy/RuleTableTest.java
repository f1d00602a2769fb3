package dev.kopf4j.devcluster.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import dev.kopf4j.devcluster.resource.BuiltinResources;
import dev.kopf4j.devcluster.resource.Resource;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** The notation of rule tables, and that all tables are written in it. */
class RuleTableTest {
    private static final Resource RESOURCE = BuiltinResources.all().getFirst();

    static List<Path> tables() throws IOException, URISyntaxException {
        Path folder = Path.of(Objects.requireNonNull(RuleTable.class.getResource("rules/core.txt"))
                .toURI());
        try (Stream<Path> files = Files.list(Objects.requireNonNull(folder.getParent()))) {
            return files.sorted().toList();
        }
    }

    /** A row that cannot be read would be found by the first object of its kind only. */
    @ParameterizedTest
    @MethodSource("tables")
    void everyRowCanBeRead(Path file) throws IOException {
        new InMemory(options -> options); // the server's strategies give the functions that rows call
        String group = file.getFileName().toString().replace(".txt", "");
        for (String head : heads(file)) {
            FieldChecks checks = new FieldChecks();
            ObjectDraft draft = new ObjectDraft(RESOURCE, Json.object(), Json.object(), "");
            RuleTable.of(group).check(head + " a b c d", Place.of(draft), checks);
        }
    }

    @ParameterizedTest
    @MethodSource("tables")
    void everyKindIsServed(Path file) throws IOException {
        String group = file.getFileName().toString().replace(".txt", "");
        List<String> served = BuiltinResources.all().stream()
                .filter(each -> (each.group().isEmpty() ? "core" : each.group().split("\\.", -1)[0]).equals(group))
                .map(Resource::plural)
                .toList();
        assertThat(heads(file).stream()
                        .filter(head -> Character.isLowerCase(head.charAt(0)))
                        .map(head -> head.split("\\.", -1)[0]))
                .isSubsetOf(served);
    }

    private static List<String> heads(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith(" ") && !line.startsWith("#"))
                .map(line -> line.split(" ", -1)[0])
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                          |        | a: Required value: say a",
                "{a: A}                      |        | a: Unsupported value: \"A\": supported values: \"x\", \"y\"",
                "{a: x, list: [{\"n\": 1}, {\"n\": 7}, {\"n\": 1}]} | | shown[1].n: Invalid value: 7: must be less than or equal to 5; shown[2].n: Duplicate value: 1",
                "{a: x, map: {k: {m: 0}}}    |        | map[k].m: Invalid value: 0: must be greater than 0",
                "{a: 'y'}                      |        | b: Forbidden: y needs no other",
                "{a: x, b: 2}                | {a: x} | b: Invalid value: 2: field is immutable",
                "{a: x, b: 1, c: 2}          |        | c: Invalid value: \"2\": must not be above 1",
            })
    void rowsSayWhatIsWrong(String now, String before, String errors) {
        FieldChecks checks = new FieldChecks();
        ObjectNode former = before == null ? null : object(before);
        RuleTable.of("testing").check("things", Place.of(new ObjectDraft(RESOURCE, object(now), former, "")), checks);
        assertThat(checks.errors().stream().map(error -> error.field() + ": " + error.message()))
                .containsExactly(errors.split("; ", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                  | {}",
                "{a: 1}                              | {a: 1, b: 1}",
                "{a: 1, b: 2, c: 3}                  | {a: 1, b: 2, c: 1}",
                "{all: {x: 1, \"y\": 2}, some: {x: 3}} | {all: {x: 1, \"y\": 2}, some: {x: 3, \"y\": 2}}",
                "{all: {x: 1}}                       | {all: {x: 1}, some: {x: 1}}",
            })
    void rowsTakeValuesFromBeside(String now, String then) {
        ObjectNode object = object(now);
        ObjectDraft draft = new ObjectDraft(RESOURCE, object, null, "");
        RuleTable.of("testing").check("things.defaults", Place.of(draft), new FieldChecks());
        assertThat(object).isEqualTo(object(then));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{name: a-b, a: a, map: {x.y/z: b}, list: [{m: 2}]} | ",
                "{name: a-b, a: a, map: {x.y/z: c}, list: [{m: 2}]} | name: Invalid value: \"a-b\": must be a-c",
                "{name: a-b, a: a, map: {x.y/z: b}, list: [{m: 3}]} | list: Required value: one of them",
                "{name: a-b, a: a, map: {x.y/z: b, ko: b}, list: [{m: 1}]} | map[ko]: Invalid value: \"ko\": is no key",
                "{name: a-bad, a: a, map: {x.y/z: bad, z: bad}, list: [{m: 1}]} | map[x.y/z]: Invalid value: \"bad\": is no value",
                "{name: a-, a: a, list: [{m: 1}]} | map.xyz: Required value",
                "{name: a-b, a: a, map: {x.y/z: b}, list: [{m: 1}, {m: 1}]} | : Duplicate value: 1",
            })
    void rowsCompareWithOtherValuesAndKeys(String now, String errors) {
        FieldChecks checks = new FieldChecks();
        RuleTable.of("testing")
                .check("things.names", Place.of(new ObjectDraft(RESOURCE, object(now), null, "")), checks);
        assertThat(checks.errors().stream().map(error -> error.field() + ": " + error.message()))
                .containsExactly(errors == null ? new String[0] : errors.split("; ", -1));
    }

    @Test
    void rowsDropValues() {
        ObjectNode object = object("{name: x, a: [x], map: {x.y/z: b}}");
        ObjectDraft draft = new ObjectDraft(RESOURCE, object, null, "");
        RuleTable.of("testing").check("things.names", Place.of(draft), new FieldChecks());
        assertThat(object).isEqualTo(object("{name: x, map: {x.y/z: b}}"));
    }

    @Test
    void rowsNameEntriesAndFields() {
        FieldChecks checks = new FieldChecks();
        ObjectNode object =
                object("{map: {x.y/z: {m: 1}, k: {m: 1}}, pairs: [{p: 1, q: 1}, {p: 1, q: 2}, {p: 1, q: 1}]}");
        RuleTable.of("testing").check("things.warnings", Place.of(new ObjectDraft(RESOURCE, object, null, "")), checks);
        assertThat(checks.warnings()).containsExactly("map[x.y/z]: is old", "map.x.y/z: say less", "map.k: say less");
        assertThat(checks.errors().stream().map(error -> error.field() + ": " + error.message()))
                .containsExactly("pairs[2]: Duplicate value: {\"p\":1,\"q\":1}");
    }

    private static ObjectNode object(String yaml) {
        return (ObjectNode) YamlReader.documents(yaml).getFirst();
    }

    @Test
    void whatCannotBeReadIsNamed() {
        ObjectDraft draft = new ObjectDraft(RESOURCE, Json.object(), null, "");
        assertThatThrownBy(() -> RuleTable.of("testing").check("wrong", Place.of(draft), new FieldChecks()))
                .hasMessageContaining("no check sometimes in the rules of testing");
    }
}
