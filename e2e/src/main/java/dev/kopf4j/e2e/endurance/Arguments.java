package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.process.ForeignServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The options of the command line. */
final class Arguments {
    static final String USAGE = """
            usage: e2e/endurance [OPTION VALUE]...
            Runs an operator for some minutes while it and its cluster are disturbed, and counts what was lost and repeated.

              --minutes N             how long (default: 5); then it waits until nothing is left to be done, 3 minutes at most
              --rounds N              end after so many disturbances (default: no limit but the time)
              --seconds N             how long each freeze, silence, outage, or time without credentials lasts (default: drawn)
              --objects N             how many objects there are at a time (default: 100)
              --pace N                how many objects are created, changed or deleted in a second (default: 20)
              --replicas N            how many operators there are; of several, the one with the lease acts (default: 1; 2 for leaders)
              --only NAME[,NAME]...   what is done; default: all but leaders, which is in it with --replicas 2
                kills                   the operator's process is killed (SIGKILL) and started again
                freezes                 the operator's process stands still for up to 9 s (SIGSTOP)
                silences                the server accepts connections, and does not answer for up to 15 s
                outages                 the server is killed, and started again after up to 12 s
                rotations               the operator's credentials are refused, and replaced up to 4 s later
                definitions             the definition is deleted with its objects; every second time the operator is killed meanwhile
                namespaces              a namespace is deleted with its objects
                leaders                 the replica that leads stands still until another one leads
              --login NAME            how the operator logs in: file (of a token), exec (a plugin), both (by turns; the default)
              --seed N                the seed of all that (default: drawn, and printed)
              --folder DIR            where files go, to be kept (default: a temporary folder, deleted if all is well)

            The dev cluster is started unless a cluster is named. There, the administrator makes the definition trials.endurance.kopf4j.dev, the
            namespaces endurance-a and endurance-b, and the binding kopf4j-endurance, and deletes them at the end:

              --kubeconfig FILE       the cluster, as an administrator
              --freeze-server CMD     makes its server silent (for silences), by sh -c; with
              --thaw-server CMD       lets it go on
              --kill-server CMD       ends its server (for outages); with
              --start-server CMD      starts it, and returns when it listens

            Exit codes: 0 all is well; 1 a change was lost, or repeated after its success was recorded, or not all came to an end, or liveness said
            that a restart would help; 2 wrong usage.
            """;

    private static final Set<String> NAMES = Set.of(
            "--minutes",
            "--rounds",
            "--seconds",
            "--objects",
            "--pace",
            "--replicas",
            "--only",
            "--login",
            "--seed",
            "--folder",
            "--kubeconfig",
            "--freeze-server",
            "--thaw-server",
            "--kill-server",
            "--start-server");

    private final Map<String, String> values = new HashMap<>();

    private Arguments(String... arguments) {
        for (int at = 0; at < arguments.length; at += 2) {
            if (!NAMES.contains(arguments[at])) {
                throw new IllegalArgumentException("unknown: " + arguments[at]);
            }
            if (at + 1 == arguments.length) {
                throw new IllegalArgumentException("a value is missing after " + arguments[at]);
            }
            values.put(arguments[at], arguments[at + 1]);
        }
    }

    static EndurancePlan parse(String... arguments) {
        return new Arguments(arguments).plan();
    }

    private EndurancePlan plan() {
        Set<Disturbance> only = only();
        int replicas = number("--replicas", only.contains(Disturbance.LEADERS) ? 2 : 1, 5);
        if (replicas > 1 && !values.containsKey("--only")) {
            only.add(Disturbance.LEADERS);
        }
        if (replicas == 1 && only.contains(Disturbance.LEADERS)) {
            throw new IllegalArgumentException("leaders need --replicas 2");
        }
        return new EndurancePlan(
                seed(),
                Duration.ofMinutes(number("--minutes", 5, 600)),
                number("--rounds", Integer.MAX_VALUE, Integer.MAX_VALUE),
                values.containsKey("--seconds") ? OptionalInt.of(number("--seconds", 1, 3600)) : OptionalInt.empty(),
                number("--objects", 100, 10_000),
                number("--pace", 20, 1000),
                replicas,
                only,
                login(),
                cluster(),
                Path.of(System.getProperty("kopf4j.program", "kopf4j")).toAbsolutePath(),
                folder());
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
        String login = values.getOrDefault("--login", "both");
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

    private Optional<ExistingCluster> cluster() {
        Optional<ForeignServer.Commands> freezing = commands("--freeze-server", "--thaw-server");
        Optional<ForeignServer.Commands> dying = commands("--kill-server", "--start-server");
        String kubeconfig = values.get("--kubeconfig");
        if (kubeconfig == null && (freezing.isPresent() || dying.isPresent())) {
            throw new IllegalArgumentException("commands for a server need --kubeconfig");
        }
        if (kubeconfig != null && !Files.isReadable(Path.of(kubeconfig))) {
            throw new IllegalArgumentException("--kubeconfig " + kubeconfig + " cannot be read");
        }
        return Optional.ofNullable(kubeconfig).map(file -> new ExistingCluster(Path.of(file), freezing, dying));
    }

    private Optional<ForeignServer.Commands> commands(String begin, String end) {
        if (values.containsKey(begin) != values.containsKey(end)) {
            throw new IllegalArgumentException(begin + " and " + end + " belong together");
        }
        String beginning = values.get(begin);
        String ending = values.get(end);
        return beginning == null || ending == null
                ? Optional.empty()
                : Optional.of(new ForeignServer.Commands(beginning, ending));
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

    private int number(String name, int otherwise, int most) {
        String text = values.getOrDefault(name, Integer.toString(otherwise));
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " takes a whole number, not '" + text + "'", e);
        }
        throw new IllegalArgumentException(name + " must be 1 to " + most + ": " + text);
    }
}
