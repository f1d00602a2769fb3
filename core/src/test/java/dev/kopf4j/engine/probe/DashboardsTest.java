package dev.kopf4j.engine.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard and the alerts ask for figures and labels that an operator really has. */
class DashboardsTest {
    private static final Path DEPLOY = Path.of("").toAbsolutePath().resolveSibling("deploy");
    private static final Pattern FIGURE = Pattern.compile("\\b(kopf4j_[a-z_]+)\\b(?:\\\\?\\{([^}]*)\\})?");
    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(Operator\\w+)` \\|");
    private static final Pattern INCREASE = Pattern.compile("increase\\(([^\\[]+)\\[(\\w+)]\\)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)!?=");
    private static final Pattern NAMED =
            Pattern.compile("by \\(([a-z_, ]+)\\)|\\$labels\\.([a-z_]+)|\\{\\{([a-z_]+)}}");

    @ParameterizedTest
    @ValueSource(strings = {"dashboard.json", "alerts.yaml"})
    void figuresAndLabelsExist(String file) throws IOException {
        String page = MetricsTableTest.page();
        Set<String> asked = new TreeSet<>();
        Matcher figures = FIGURE.matcher(Files.readString(DEPLOY.resolve(file)));
        while (figures.find()) {
            String figure = figures.group(1);
            asked.add(figure);
            String line = page.lines()
                    .filter(each -> each.matches(Pattern.quote(figure) + "[ {].*"))
                    .findFirst()
                    .orElseThrow(
                            () -> new AssertionError("no operator has " + figure + ", which " + file + " asks for"));
            Matcher labels = LABEL.matcher(figures.group(2) == null ? "" : figures.group(2));
            while (labels.find()) {
                String label = labels.group(1);
                // Prometheus itself adds the job.
                assertThat(label.equals("job") || line.contains(label + "=\""))
                        .as("the label %s of %s in %s", label, figure, file)
                        .isTrue();
            }
        }
        assertThat(asked).hasSizeGreaterThan(6);
    }

    /** A label that is not there is empty to Prometheus, and nobody is told. */
    @ParameterizedTest
    @ValueSource(strings = {"dashboard.json", "alerts.yaml"})
    void labelsThatSumsLegendsAndSentencesNameExist(String file) throws IOException {
        Set<String> named = new TreeSet<>();
        NAMED.matcher(Files.readString(DEPLOY.resolve(file))).results().forEach(found -> {
            for (int group = 1; group <= found.groupCount(); group++) {
                String names = found.group(group);
                if (names != null) {
                    named.addAll(List.of(names.split(", ")));
                }
            }
        });
        assertThat(named).contains("watched_namespace");
        // Prometheus adds the job, and its operator the namespace of the pod.
        named.removeAll(List.of("job", "namespace"));
        String page = MetricsTableTest.page();
        assertThat(named)
                .as(file)
                .isNotEmpty()
                .allSatisfy(label -> assertThat(page).contains(label + "=\""));
    }

    @Test
    void alertsAreThoseOfTheDocumentation() throws IOException {
        assertThat(names(ALERT, DEPLOY.resolve("alerts.yaml")))
                .hasSizeGreaterThan(6)
                .containsExactlyElementsOf(names(DOCUMENTED, DEPLOY.resolveSibling("docs/observability.md")));
    }

    /** A figure comes into being with the first count, which is no increase to Prometheus. */
    @Test
    void theFirstCountIsAnAlertToo() throws IOException {
        String rules = Files.readString(DEPLOY.resolve("alerts.yaml"));
        List<MatchResult> increases = INCREASE.matcher(rules).results().toList();
        assertThat(increases).isNotEmpty().allSatisfy(increase -> {
            String figure = increase.group(1);
            assertThat(rules).contains(figure + " unless " + figure + " offset " + increase.group(2));
        });
    }

    private static List<String> names(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map(found -> found.group(1))
                .toList();
    }
}
