package dev.kopf4j.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** The options of the command line. */
final class Arguments {
    static final String USAGE = """
            usage: benchmarks/run [ceiling|handlers|console|index|children|timers|devcluster|recorder|reviews|shards] [--objects N] [--paced N] [--rounds N] [--connections N]
                                                   [--log LEVEL] [--server KUBECONFIG] [--subresource on|off] [--cache on|off] [--jvm OPTION]... [--contender NAME=COMMAND]...
            """;

    private Arguments() {}

    /** Takes what is not named from the defaults. */
    static BenchmarkPlan parse(String... arguments) {
        String command = "ceiling";
        int objects = 0;
        int paced = 300;
        int rounds = -1;
        int connections = 4;
        String logLevel = "WARN";
        String server = "";
        boolean statusSubresource = false;
        boolean cached = true;
        List<Contender.Program> programs = new ArrayList<>();
        // The options with which the command line of kopf4j starts operators, and a small heap.
        List<String> jvm = new ArrayList<>(List.of(
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:CICompilerCount=2",
                "-XX:StringTableSize=8192",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-AOTReplayTraining",
                "-XX:ArchiveRelocationMode=0",
                "-XX:TrimNativeHeapInterval=10000",
                "-Xmn12m",
                "-XX:SurvivorRatio=1",
                "-XX:TargetSurvivorRatio=90"));
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "ceiling",
                        "handlers",
                        "console",
                        "index",
                        "children",
                        "timers",
                        "devcluster",
                        "recorder",
                        "reviews",
                        "shards" -> command = arguments[i];
                case "--objects" -> objects = number(arguments, ++i);
                case "--paced" -> paced = number(arguments, ++i);
                case "--rounds" -> rounds = number(arguments, ++i);
                case "--connections" -> connections = number(arguments, ++i);
                case "--log" -> logLevel = text(arguments, ++i);
                case "--server" -> server = text(arguments, ++i);
                case "--subresource" -> statusSubresource = flag(arguments, ++i);
                case "--cache" -> cached = flag(arguments, ++i);
                case "--contender" -> programs.add(program(text(arguments, ++i)));
                case "--jvm" -> jvm.add(text(arguments, ++i));
                default -> throw new IllegalArgumentException("unknown: " + arguments[i]);
            }
        }
        if (objects == 0) {
            objects = switch (command) {
                case "index" -> 100_000;
                case "children" -> 10_000;
                case "timers", "console" -> 50_000;
                case "shards" -> 1000;
                default -> 5000;
            };
        }
        if (rounds < 0) {
            rounds = command.equals("timers") ? 3 : 5;
        }
        return new BenchmarkPlan(
                command,
                new BenchmarkPlan.Load(objects, paced, rounds, connections),
                server,
                statusSubresource,
                new BenchmarkPlan.Measured(logLevel, cached, jvm),
                programs);
    }

    private static Contender.Program program(String text) {
        int equals = text.indexOf('=');
        if (equals < 1 || equals == text.length() - 1) {
            throw new IllegalArgumentException("--contender must be NAME=COMMAND: " + text);
        }
        return new Contender.Program(text.substring(0, equals), text.substring(equals + 1));
    }

    private static String text(String[] arguments, int index) {
        if (index >= arguments.length) {
            throw new IllegalArgumentException("a value is missing after " + arguments[index - 1]);
        }
        return arguments[index];
    }

    private static boolean flag(String[] arguments, int index) {
        return switch (text(arguments, index)) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new IllegalArgumentException(arguments[index - 1] + " must be on or off");
        };
    }

    private static int number(String[] arguments, int index) {
        String text = text(arguments, index);
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= 100_000) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(arguments[index - 1] + " takes a number, not '" + text + "'", e);
        }
        throw new IllegalArgumentException(arguments[index - 1] + " must be 0 to 100000: " + text);
    }
}
