package dev.kopf4j.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Prints what was measured, as a table in Markdown. */
final class MarkdownReport {
    private MarkdownReport() {}

    static void head() {
        System.out.println(
                "| | objects/s cold; warm | created/s | PATCHes/object | p50; p99 ms | CPU ms/object cold; warm"
                        + " | allocated KB/object cold; warm | paced p50; p99 ms | CPU s start"
                        + " | RSS MB idle (anonymous + file) | at the end | peak | PATCHes after restart |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    }

    static void line(String title, List<ContenderFigures> measured) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %.0f; %.0f | %.0f | %.3f; %.3f | %.0f; %.0f | %.2f; %.2f | %.0f; %.0f | %.1f; %.1f | %.2f"
                        + " | %.0f (%.0f + %.0f) | %.0f (%.0f + %.0f) | %.0f | %.0f |%n",
                title,
                median(measured, each -> each.cold().objectsPerSecond()),
                median(measured, each -> each.warm().objectsPerSecond()),
                median(measured, each -> each.cold().createdPerSecond()),
                median(measured, each -> each.cold().patchesPerObject()),
                median(measured, each -> each.warm().patchesPerObject()),
                median(measured, each -> each.cold().patchLatency().p50()),
                median(measured, each -> each.cold().patchLatency().p99()),
                median(measured, each -> each.cold().cpu()),
                median(measured, each -> each.warm().cpu()),
                median(measured, each -> each.cold().allocated()),
                median(measured, each -> each.warm().allocated()),
                median(measured, each -> each.paced().p50()),
                median(measured, each -> each.paced().p99()),
                median(measured, each -> each.process().cpuStart()),
                median(measured, each -> each.process().idle().resident()),
                median(measured, each -> each.process().idle().anonymous()),
                median(measured, each -> each.process().idle().file()),
                median(measured, each -> each.process().full().resident()),
                median(measured, each -> each.process().full().anonymous()),
                median(measured, each -> each.process().full().file()),
                median(measured, each -> each.process().full().peak()),
                median(measured, ContenderFigures::patchesAfterRestart));
    }

    static void ratio(String title, List<ContenderFigures> loops, List<ContenderFigures> operators) {
        System.out.println("\n" + title + ": medians, and single rounds");
        ratio("objects/s, cold", loops, operators, each -> each.cold().objectsPerSecond());
        ratio("objects/s, warm", loops, operators, each -> each.warm().objectsPerSecond());
        ratio("CPU, cold", loops, operators, each -> each.cold().cpu());
        ratio("CPU, warm", loops, operators, each -> each.warm().cpu());
        ratio("allocated, cold", loops, operators, each -> each.cold().allocated());
        ratio("allocated, warm", loops, operators, each -> each.warm().allocated());
    }

    private static void ratio(
            String title,
            List<ContenderFigures> loops,
            List<ContenderFigures> operators,
            ToDoubleFunction<ContenderFigures> figure) {
        String rounds = IntStream.range(0, loops.size())
                .mapToObj(i -> String.format(
                        Locale.ROOT,
                        "%.2f",
                        figure.applyAsDouble(operators.get(i)) / figure.applyAsDouble(loops.get(i))))
                .collect(Collectors.joining(", "));
        System.out.printf(
                Locale.ROOT, "  %s: %.2f; %s%n", title, median(operators, figure) / median(loops, figure), rounds);
    }

    private static double median(List<ContenderFigures> measured, ToDoubleFunction<ContenderFigures> figure) {
        double[] sorted = measured.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
