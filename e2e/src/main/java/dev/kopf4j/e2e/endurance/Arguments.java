package dev.kopf4j.e2e.endurance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes the plan of a run from the options of the command line. */
final class Arguments {
    private final CommandLine values;

    private Arguments(CommandLine values) {
        this.values = values;
    }

    static EndurancePlan parse(String... arguments) {
        return new Arguments(new CommandLine(arguments)).plan();
    }

    private EndurancePlan plan() {
        Set<Disturbance> only = only();
        int replicas = values.number("--replicas", only.contains(Disturbance.LEADERS) ? 2 : 1, 5);
        if (replicas > 1 && !values.has("--only")) {
            only.add(Disturbance.LEADERS);
        }
        if (replicas == 1 && only.contains(Disturbance.LEADERS)) {
            throw new IllegalArgumentException("leaders need --replicas 2");
        }
        return new EndurancePlan(
                seed(),
                new EndurancePlan.Length(
                        Duration.ofMinutes(values.number("--minutes", 5, 600)),
                        values.number("--rounds", Integer.MAX_VALUE, Integer.MAX_VALUE),
                        values.has("--seconds")
                                ? OptionalInt.of(values.number("--seconds", 1, 3600))
                                : OptionalInt.empty()),
                new EndurancePlan.Rate(
                        values.number("--objects", 100, 10_000), values.number("--pace", 20, 1000), replicas),
                only,
                login(),
                ClusterArguments.cluster(values),
                new EndurancePlan.Paths(
                        Path.of(System.getProperty("kopf4j.program", "kopf4j")).toAbsolutePath(), folder()));
    }

    private Set<Disturbance> only() {
        String names = values.get("--only");
        return names == null
                ? EnumSet.complementOf(EnumSet.of(Disturbance.LEADERS))
                : Stream.of(names.split(",", -1))
                        .map(Disturbance::of)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Disturbance.class)));
    }

    private EndurancePlan.Login login() {
        String login = Objects.requireNonNullElse(values.get("--login"), "both");
        return switch (login) {
            case "file" -> EndurancePlan.Login.FILE;
            case "exec" -> EndurancePlan.Login.EXEC;
            case "both" -> EndurancePlan.Login.BOTH;
            default -> throw new IllegalArgumentException("--login takes file, exec or both, not '" + login + "'");
        };
    }

    private long seed() {
        String seed = values.get("--seed");
        try {
            return seed == null ? new Random().nextInt(1_000_000) : Long.parseLong(seed);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--seed takes a whole number, not '" + seed + "'", e);
        }
    }

    private Path folder() {
        String folder = values.get("--folder");
        try {
            return folder == null
                    ? Files.createTempDirectory("kopf4j-endurance-")
                    : Files.createDirectories(Path.of(folder)).toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException("there is no place for files", e);
        }
    }
}
