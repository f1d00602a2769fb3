package dev.kopf4j.devcluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/**
 * Rules of the API as tables, in {@code rules/*.txt}. A line {@code == TITLE} begins a test with a fresh server. A line
 * {@code METHOD PATH [HEADER=VALUE]} is a request; the YAML below it is its body. {@code < STATUS} is what is expected,
 * with the reasons and fields of all causes of a refusal behind it ({@code spec.size:Required}, without
 * {@code FieldValue}); lines {@code = PATH JSON} are values of the answer, {@code = PATH -} is one that is not there.
 * Lines {@code ! WORDS} after that are all warnings of the answer, a single {@code !} says that there are none.
 */
class RulesTest {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: things.rules.example.com}
            spec:
              group: rules.example.com
              scope: Namespaced
              names: {plural: things, kind: Thing}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: SPEC
                      status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;

    @TestFactory
    Stream<DynamicTest> hold() throws IOException, URISyntaxException {
        Path folder = Path.of(
                Objects.requireNonNull(RulesTest.class.getResource("/rules")).toURI());
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                List<String> lines = Files.readAllLines(file);
                sections(lines)
                        .forEach((title, section) -> tests.add(DynamicTest.dynamicTest(
                                file.getFileName() + ": " + title, () -> new Run(section).run())));
            }
        }
        assertThat(tests).hasSizeGreaterThan(30);
        return tests.stream();
    }

    private static Map<String, List<String>> sections(List<String> lines) {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        List<String> current = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("== ")) {
                current = new ArrayList<>();
                assertThat(sections.put(line.substring(3), current))
                        .as("two " + line)
                        .isNull();
            } else if (!line.startsWith("#") && !line.isBlank()) {
                current.add(line);
            }
        }
        return sections;
    }

    private static final class Run {
        private final List<String> lines;
        private final InMemory cluster = new InMemory(options -> options);
        private int next;

        Run(List<String> lines) {
            this.lines = lines;
        }

        void run() {
            assertThat(lines).isNotEmpty();
            while (next < lines.size()) {
                step();
            }
        }

        private void step() {
            String head = lines.get(next++);
            String body = taken(line -> !line.startsWith("< ")).stream().collect(Collectors.joining("\n"));
            if (head.startsWith("SPEC")) {
                define(body);
                return;
            }
            String[] words = head.split(" ", -1);
            Map<String, String> headers = new LinkedHashMap<>();
            for (int index = 2; index < words.length; index++) {
                headers.put(words[index].split("=", 2)[0], words[index].split("=", 2)[1]);
            }
            boolean yaml = !words[0].equals("PATCH") || body.isEmpty();
            String sent = yaml ? body : Json.text(YamlReader.documents(body).getFirst());
            ApiResponse response = cluster.send(words[0], words[1], sent, headers);
            String text = InMemory.text(response);
            String[] expected = lines.get(next++).substring(2).split(" ", -1);
            JsonNode answer = Json.parse(text);
            assertThat(outcome(response, answer))
                    .as(head + "\n" + body + "\n" + text)
                    .isEqualTo(
                            expected[0] + " " + new TreeSet<>(List.of(expected).subList(1, expected.length)));
            for (String line : taken(value -> value.startsWith("= "))) {
                value(answer, line.substring(2), head);
            }
            warnings(response, taken(value -> value.startsWith("!")), head);
        }

        private static void warnings(ApiResponse response, Collection<String> expected, String head) {
            if (!expected.isEmpty()) {
                assertThat(response.headers().stream()
                                .map(header -> header.value().replace("\\\"", "\"")))
                        .as(head)
                        .containsExactlyInAnyOrderElementsOf(expected.stream()
                                .filter(line -> !line.equals("!"))
                                .map(line -> "299 - \"" + line.substring(2) + "\"")
                                .toList());
            }
        }

        /** A kind with this schema of its spec. */
        private void define(String spec) {
            String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
            ApiResponse response = cluster.send("POST", path, DEFINITION.replace("SPEC", spec));
            assertThat(response.status()).as(InMemory.text(response)).isEqualTo(201);
            next++;
        }

        private Collection<String> taken(java.util.function.Predicate<String> wanted) {
            List<String> taken = new ArrayList<>();
            while (next < lines.size() && wanted.test(lines.get(next))) {
                taken.add(lines.get(next++));
            }
            return taken;
        }

        private static String outcome(ApiResponse response, JsonNode answer) {
            TreeSet<String> causes = new TreeSet<>();
            for (JsonNode cause : answer.path("details").path("causes")) {
                String reason = Json.string(cause, "reason").replace("FieldValue", "");
                causes.add(Json.string(cause, "field") + ":" + reason);
            }
            return response.status() + " " + causes;
        }

        private static void value(JsonNode answer, String line, String head) {
            int space = line.indexOf(' ');
            JsonNode found = Paths.lookup(answer, line.substring(0, space));
            String expected = line.substring(space + 1);
            if (expected.equals("-")) {
                assertThat(found.isMissingNode())
                        .as(head + ": " + line + ", found " + found)
                        .isTrue();
            } else {
                assertThat(found).as(head + ": " + line).isEqualTo(Json.parse(expected));
            }
        }
    }
}
