package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.soak.SoakTrial;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The options of a soak. */
final class SoakCommand {
    private static final int MINUTES = 30;

    private SoakCommand() {}

    /** Arguments: {@code --minutes N} of real time, or {@code --events N} in simulated time. */
    static boolean run(List<String> arguments) throws IOException, InterruptedException {
        if (arguments.isEmpty()) {
            return real(MINUTES);
        }
        if (arguments.size() != 2) {
            throw new IllegalArgumentException("soak takes --minutes N or --events N");
        }
        int number = Integer.parseInt(arguments.get(1));
        return switch (arguments.getFirst()) {
            case "--minutes" -> real(number);
            case "--events" -> SoakTrial.simulated(number);
            default -> throw new IllegalArgumentException("unknown: " + arguments.getFirst());
        };
    }

    private static boolean real(int minutes) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(Arguments.parse().process().jvmOptions());
        options.add("-Dkopf4j.benchmarks.log=WARN");
        return SoakTrial.real(Duration.ofMinutes(minutes), options);
    }
}
