package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.scale.DefinitionScale;
import dev.kopf4j.benchmarks.scale.ListScale;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures how what an operator costs grows: each figure at n, 2n and 4n. */
final class ScaleTrial {
    private static final List<String> PARTS = List.of("list", "definitions", "timers", "index");

    private ScaleTrial() {}

    /**
     * Arguments: parts, all if none is named; {@code --objects N} for the largest number; {@code --jvm OPTION} for a
     * further option of the processes that are measured.
     */
    static void run(List<String> arguments) throws IOException, InterruptedException {
        int objects = 0;
        List<String> options = new ArrayList<>(Arguments.parse().process().jvmOptions());
        List<String> parts = PARTS;
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (word.equals("--objects") && i + 1 < arguments.size()) {
                objects = Integer.parseInt(arguments.get(++i));
            } else if (word.equals("--jvm") && i + 1 < arguments.size()) {
                options.add(arguments.get(++i));
            } else if (PARTS.contains(word)) {
                parts = List.of(word);
            } else {
                throw new IllegalArgumentException("unknown: " + word);
            }
        }
        for (String part : parts) {
            measure(part, objects, options);
        }
    }

    private static void measure(String part, int objects, List<String> options)
            throws IOException, InterruptedException {
        switch (part) {
            case "list" -> new ListScale(options).report(sizes(objects, 100_000));
            case "definitions" -> new DefinitionScale(options).report(sizes(objects, 500));
            case "timers" -> TimerTrial.growth(sizes(objects, 200_000));
            default -> IndexTrial.growth(sizes(objects, 200_000));
        }
    }

    private static List<Integer> sizes(int objects, int otherwise) {
        int largest = objects == 0 ? otherwise : objects;
        return List.of(largest / 4, largest / 2, largest);
    }
}
