package dev.kopf4j.e2e.endurance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Runs an operator under disturbances, and prints what came out. */
public final class Main {
    private Main() {}

    /** Exits with 0 if all promises were kept, 1 if not or if the run failed, 2 on wrong usage. */
    public static void main(String[] arguments) throws IOException {
        if (Stream.of(arguments).anyMatch(each -> each.equals("--help") || each.equals("-h"))) {
            System.out.print(CommandLine.USAGE);
            return;
        }
        EndurancePlan plan;
        try {
            plan = Arguments.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.print(e.getMessage() + "\n" + CommandLine.USAGE);
            System.exit(2);
            return;
        }
        System.out.println(
                "--seed " + plan.seed() + ", files in " + plan.paths().folder());
        EnduranceResult result = Endurance.run(plan, new Diary(System.out));
        System.out.println("\n" + result.table() + "--seed " + plan.seed());
        if (result.isGood() && !List.of(arguments).contains("--folder")) {
            delete(plan.paths().folder());
        } else {
            System.out.println("logs and calls: " + plan.paths().folder());
        }
        System.exit(result.isGood() ? 0 : 1);
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(Main::deleteOne);
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " cannot be deleted", e);
        }
    }

    private static void deleteOne(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
