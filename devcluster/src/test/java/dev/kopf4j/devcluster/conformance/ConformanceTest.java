package dev.kopf4j.devcluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every recorded trace is a test. A trace that cannot pass is named in {@code known-differences.txt}; one that is named
 * there and passes fails, so that the list only shrinks.
 */
class ConformanceTest {
    private static Path resource(String name) throws URISyntaxException {
        return Path.of(
                Objects.requireNonNull(ConformanceTest.class.getResource(name)).toURI());
    }

    private static List<Path> traces(String folder) throws IOException, URISyntaxException {
        try (Stream<Path> files = Files.list(resource("/conformance/" + folder))) {
            return files.sorted().toList();
        }
    }

    private static List<String> knownDifferences() throws IOException, URISyntaxException {
        return Files.readAllLines(resource("/conformance/known-differences.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(" ", 2)[0])
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> answersAsTheRecordedServer() throws IOException, URISyntaxException {
        List<Path> traces = traces("traces");
        assertThat(traces).hasSizeGreaterThan(90);
        List<String> known = knownDifferences();
        return traces.stream().map(trace -> test(trace, known, false));
    }

    @TestFactory
    Stream<DynamicTest> answersAsTheRecordedServerWithStreamingLists() throws IOException, URISyntaxException {
        List<String> known = knownDifferences();
        return traces("traces-optional").stream().map(trace -> test(trace, known, true));
    }

    private static DynamicTest test(Path file, List<String> known, boolean watchList) {
        String name = file.getFileName().toString().replace(".json", "");
        return DynamicTest.dynamicTest(name, () -> {
            Replay replay = new Replay(Json.parse(Files.readAllBytes(file)), watchList);
            if (known.contains(name)) {
                assertThatThrownBy(replay::run)
                        .as("named in known-differences.txt, but passes: take it from the list")
                        .isInstanceOf(StepFailed.class);
            } else {
                replay.run();
            }
        });
    }

    @Test
    void noticesAnAnswerThatIsNotTheRecordedOne() throws IOException, URISyntaxException {
        Path file = resource("/conformance/traces/050-crud-custom-object.json");
        ObjectNode trace = (ObjectNode) Json.parse(Files.readString(file).replace("\"size\": 2", "\"size\": 3"));
        ((ObjectNode) trace.get("steps").get(3).get("request").get("body").get("spec")).put("size", 2);
        assertThatThrownBy(new Replay(trace, false)::run)
                .isInstanceOf(StepFailed.class)
                .hasMessageContaining("spec.size: expected 3, got 2");
    }
}
