package dev.kopf4j.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Prints what was measured, as a table in Markdown. */
final class Report {
    private Report() {}

    static void head() {
        System.out.println("| | objects/s | created/s | PATCHes/object | p50 ms | p99 ms | paced p50 ms | paced p99 ms"
                + " | CPU s start | CPU s work | peak RSS MB | PATCHes after restart |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
    }

    static void line(String title, List<Figures> measured) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.3f | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f | %.0f | %.0f |%n",
                title,
                median(measured, Figures::objectsPerSecond),
                median(measured, Figures::createdPerSecond),
                median(measured, Figures::patchesPerObject),
                median(measured, each -> each.busy().p50()),
                median(measured, each -> each.busy().p99()),
                median(measured, each -> each.paced().p50()),
                median(measured, each -> each.paced().p99()),
                median(measured, Figures::cpuStart),
                median(measured, Figures::cpuWork),
                median(measured, Figures::peakMegabytes),
                median(measured, Figures::patchesAfterRestart));
    }

    static void ratio(List<Figures> loops, List<Figures> operators) {
        double ratio = median(operators, Figures::objectsPerSecond) / median(loops, Figures::objectsPerSecond);
        System.out.printf(Locale.ROOT, "%noperator / bare loop: %.2f of its objects/s (medians)%n", ratio);
        for (int i = 0; i < loops.size(); i++) {
            System.out.printf(
                    Locale.ROOT,
                    "  round %d: %.2f%n",
                    i + 1,
                    operators.get(i).objectsPerSecond() / loops.get(i).objectsPerSecond());
        }
    }

    private static double median(List<Figures> measured, ToDoubleFunction<Figures> figure) {
        double[] sorted = measured.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
