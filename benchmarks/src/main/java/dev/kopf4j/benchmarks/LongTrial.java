package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.counts.CountTrial;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** The commands that compare with nothing but their own limits, and have options of their own. */
final class LongTrial {
    static final String USAGE =
            "       benchmarks/run counts | scale [list|definitions|timers|index] [--objects N] [--jvm OPTION] | soak [--minutes N|--events N]";

    private static final Set<String> COMMANDS = Set.of("counts", "scale", "soak");

    private LongTrial() {}

    static boolean isCommand(String word) {
        return COMMANDS.contains(word);
    }

    /** Returns the exit code: 1 if a limit is not kept, 2 on wrong usage. */
    static int run(List<String> arguments) throws InterruptedException {
        try {
            boolean kept = switch (arguments.getFirst()) {
                case "counts" -> CountTrial.report();
                case "scale" -> {
                    ScaleTrial.run(arguments.subList(1, arguments.size()));
                    yield true;
                }
                case "soak" -> SoakCommand.run(arguments.subList(1, arguments.size()));
                default -> throw new IllegalArgumentException("unknown: " + arguments.getFirst());
            };
            return kept ? 0 : 1;
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n" + USAGE);
            return 2;
        } catch (IOException | IllegalStateException e) {
            System.err.println("The measurement has failed: " + e.getMessage());
            return 1;
        }
    }
}
