package dev.kopf4j.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Prints what was measured, as a table in Markdown. */
final class MarkdownReport {
    private MarkdownReport() {}

    static void head() {
        System.out.println("| | objects/s | created/s | PATCHes/object | p50 ms | p99 ms | CPU s | warm: objects/s"
                + " | PATCHes/object | CPU s | paced p50 ms | paced p99 ms | CPU s start | peak RSS MB"
                + " | PATCHes after restart |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    }

    static void line(String title, List<ContenderFigures> measured) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.3f | %.1f | %.1f | %.2f | %.0f | %.3f | %.2f | %.1f | %.1f | %.2f | %.0f | %.0f |%n",
                title,
                median(measured, each -> each.cold().objectsPerSecond()),
                median(measured, each -> each.cold().createdPerSecond()),
                median(measured, each -> each.cold().patchesPerObject()),
                median(measured, each -> each.cold().patchLatency().p50()),
                median(measured, each -> each.cold().patchLatency().p99()),
                median(measured, each -> each.cold().cpu()),
                median(measured, each -> each.warm().objectsPerSecond()),
                median(measured, each -> each.warm().patchesPerObject()),
                median(measured, each -> each.warm().cpu()),
                median(measured, each -> each.paced().p50()),
                median(measured, each -> each.paced().p99()),
                median(measured, ContenderFigures::cpuStart),
                median(measured, ContenderFigures::peakMegabytes),
                median(measured, ContenderFigures::patchesAfterRestart));
    }

    static void ratio(List<ContenderFigures> loops, List<ContenderFigures> operators) {
        System.out.println("\noperator / bare loop, shares of objects/s");
        ratio("just started", loops, operators, ContenderFigures::cold);
        ratio("warm", loops, operators, ContenderFigures::warm);
    }

    private static void ratio(
            String title,
            List<ContenderFigures> loops,
            List<ContenderFigures> operators,
            Function<ContenderFigures, LoadResult> phase) {
        ToDoubleFunction<ContenderFigures> speed = each -> phase.apply(each).objectsPerSecond();
        String rounds = IntStream.range(0, loops.size())
                .mapToObj(i -> String.format(
                        Locale.ROOT, "%.2f", speed.applyAsDouble(operators.get(i)) / speed.applyAsDouble(loops.get(i))))
                .collect(Collectors.joining(", "));
        System.out.printf(
                Locale.ROOT,
                "  %s: %.2f (medians); single rounds: %s%n",
                title,
                median(operators, speed) / median(loops, speed),
                rounds);
    }

    private static double median(List<ContenderFigures> measured, ToDoubleFunction<ContenderFigures> figure) {
        double[] sorted = measured.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
