package dev.kopf4j.benchmarks;

import dev.kopf4j.HandlerLifecycle;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Starts the processes, makes the load, and prints the figures. */
public final class Main {
    private Main() {}

    /** Exits with 1 if a measurement failed, with 2 on wrong usage. */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length > 0 && LongTrial.isCommand(arguments[0])) {
            System.exit(LongTrial.run(List.of(arguments)));
        }
        BenchmarkPlan benchmarkPlan;
        try {
            benchmarkPlan = Arguments.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n" + Arguments.USAGE + LongTrial.USAGE);
            System.exit(2);
            return;
        }
        try {
            measure(benchmarkPlan);
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            System.err.println("The measurement has failed: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void measure(BenchmarkPlan benchmarkPlan) throws IOException, InterruptedException {
        System.out.println(benchmarkPlan);
        switch (benchmarkPlan.command()) {
            case "children" -> new ChildrenTrial(benchmarkPlan.load().objects()).report();
            case "console" -> new ConsoleTrial(benchmarkPlan.load().objects()).report();
            case "index" -> new IndexTrial(benchmarkPlan.load().objects()).report();
            case "timers" ->
                new TimerTrial(
                                benchmarkPlan.load().objects(),
                                benchmarkPlan.load().rounds())
                        .report();
            case "devcluster" -> ServerTrial.run(benchmarkPlan);
            case "shards" -> new ShardTrial(benchmarkPlan).report();
            case "reviews" -> new ReviewTrial(benchmarkPlan).report();
            case "ceiling" -> inTurns(benchmarkPlan, contenders(benchmarkPlan));
            case "recorder" -> inTurns(benchmarkPlan, withoutAndWithRecorder());
            default -> handlers(benchmarkPlan);
        }
    }

    /** Measures in turns, so that other work of the machine affects all; compares all others with the first one. */
    private static void inTurns(BenchmarkPlan benchmarkPlan, List<Contender> contenders)
            throws IOException, InterruptedException {
        MarkdownReport.head();
        AotCaches caches = AotCaches.make(benchmarkPlan, contenders);
        List<ContenderFigures> all = new ArrayList<>();
        for (int round = 1; round <= benchmarkPlan.load().rounds(); round++) {
            for (Contender contender : round % 2 == 1 ? contenders : contenders.reversed()) {
                all.add(round(caches.applied(benchmarkPlan, contender), contender, round));
            }
        }
        for (Contender contender : contenders) {
            MarkdownReport.line("**" + contender.title() + ", median**", of(contender, all));
        }
        Contender first = contenders.getFirst();
        for (Contender contender : contenders.subList(1, contenders.size())) {
            MarkdownReport.ratio(contender.title() + " / " + first.title(), of(first, all), of(contender, all));
        }
    }

    private static List<ContenderFigures> of(Contender contender, List<ContenderFigures> all) {
        return all.stream().filter(each -> each.contender().equals(contender)).toList();
    }

    /** The first one is what the others are compared with. */
    private static List<Contender> contenders(BenchmarkPlan benchmarkPlan) {
        List<Contender> contenders = new ArrayList<>(List.of(
                new Contender.BareLoop(false),
                new Contender.BareLoop(true),
                new Contender.Framework(1, HandlerLifecycle.BuiltIn.IN_ORDER)));
        if (Files.exists(Contender.JOSDK_JAR)) {
            contenders.add(new Contender.JavaOperatorSdk());
        } else {
            System.err.println("Without the Java Operator SDK: " + Contender.JOSDK_JAR + " is not built.");
        }
        contenders.addAll(benchmarkPlan.programs());
        return contenders;
    }

    private static List<Contender> withoutAndWithRecorder() {
        return List.of(
                new Contender.Framework(1, HandlerLifecycle.BuiltIn.IN_ORDER, false),
                new Contender.Framework(1, HandlerLifecycle.BuiltIn.IN_ORDER));
    }

    private static void handlers(BenchmarkPlan benchmarkPlan) throws IOException, InterruptedException {
        MarkdownReport.head();
        // One program, whatever its handlers: they share the cache.
        Contender rehearsed = new Contender.Framework(1, HandlerLifecycle.BuiltIn.IN_ORDER);
        BenchmarkPlan cached = AotCaches.make(benchmarkPlan, List.of(rehearsed)).applied(benchmarkPlan, rehearsed);
        for (int handlers : List.of(1, 3, 10)) {
            for (HandlerLifecycle.BuiltIn lifecycle :
                    List.of(HandlerLifecycle.BuiltIn.IN_ORDER, HandlerLifecycle.BuiltIn.ASAP)) {
                Contender contender = new Contender.Framework(handlers, lifecycle);
                List<ContenderFigures> rounds = new ArrayList<>();
                for (int round = 1; round <= benchmarkPlan.load().rounds(); round++) {
                    rounds.add(ContenderTrial.run(cached, contender));
                }
                MarkdownReport.line(contender.title(), rounds);
            }
        }
    }

    private static ContenderFigures round(BenchmarkPlan benchmarkPlan, Contender contender, int round)
            throws IOException, InterruptedException {
        ContenderFigures contenderFigures = ContenderTrial.run(benchmarkPlan, contender);
        MarkdownReport.line(contender.title() + ", round " + round, List.of(contenderFigures));
        return contenderFigures;
    }
}
