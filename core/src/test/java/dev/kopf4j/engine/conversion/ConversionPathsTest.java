package dev.kopf4j.engine.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which steps lead from one version to another. */
class ConversionPathsTest {
    private static ConversionFunction function(String step, ConversionFunction.Part part) {
        String[] ends = step.strip().split("->", -1);
        return new ConversionFunction(
                "widgets.example.com",
                ends[0],
                ends[1],
                part,
                new ConversionFunction.Code(Object.class, false, step, (value, body) -> value));
    }

    private static ConversionPaths paths(String steps) {
        return ConversionPaths.of(Arrays.stream(steps.split(",", -1))
                .map(step -> function(step, ConversionFunction.Part.SPEC))
                .toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            v1->v2, v2->v1                                  | v1 | v2 | v1 -> v2
            v1->v2, v2->v1                                  | v1 | v1 | ''
            v1->v2, v2->v1                                  | v2 | v3 | none
            v1->v2                                          | v2 | v1 | none
            v1->v2, v2->v3                                  | v1 | v3 | v1 -> v2, v2 -> v3
            v1->v2, v2->v3, v1->v3                          | v1 | v3 | v1 -> v3
            v1->hub, hub->v1, v2->hub, hub->v2              | v2 | v1 | v2 -> hub, hub -> v1
            v1->hub, hub->v2, v1->v2                        | v1 | v2 | v1 -> v2
            v1->a, a->v2, v1->b, b->v2                      | v1 | v2 | v1 -> a, a -> v2
            v1->b, b->v2, v1->a, a->v2                      | v1 | v2 | v1 -> b, b -> v2
            a->v2, b->v2, v1->b, v1->a                      | v1 | v2 | v1 -> b, b -> v2
            v1->a, a->c, c->v2, v1->b, b->v2                | v1 | v2 | v1 -> b, b -> v2
            v1->a, a->b, b->c, a->d, d->v2, c->v2           | v1 | v2 | v1 -> a, a -> d, d -> v2
            v1->v2, v2->v1, v2->v3, v3->v2, v3->v4, v4->v3  | v4 | v1 | v4 -> v3, v3 -> v2, v2 -> v1
            """)
    @Tag("J23")
    void theShortestWayIsTakenAndOfSeveralTheOneThatWasDeclaredFirst(String steps, String from, String to, String way) {
        String found = paths(steps)
                .find(from, to)
                .map(each -> each.stream().map(ConversionPaths.Step::toString).collect(Collectors.joining(", ")))
                .orElse("none");
        assertThat(found).isEqualTo(way);
        assertThat(paths(steps).leads(from, to)).isEqualTo(!way.equals("none"));
    }

    @Test
    void functionsOfSeveralPartsAreOneStep() {
        ConversionPaths paths = ConversionPaths.of(List.of(
                function("v1->v2", ConversionFunction.Part.SPEC),
                function("v2->v1", ConversionFunction.Part.SPEC),
                function("v1->v2", ConversionFunction.Part.STATUS)));
        assertThat(paths).hasToString("v1 -> v2, v2 -> v1");
        assertThat(paths.find("v1", "v2").orElseThrow().getFirst().functions()).hasSize(2);
    }
}
