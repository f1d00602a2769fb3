package dev.kopf4j.benchmarks;

import dev.kopf4j.Lifecycle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The referee: starts the processes, makes the load, prints the figures. */
public final class Main {
    private Main() {}

    /** Exits with 1 if a measurement failed, with 2 on wrong usage. */
    public static void main(String[] arguments) throws InterruptedException {
        Plan plan;
        try {
            plan = Plan.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n" + Plan.USAGE);
            System.exit(2);
            return;
        }
        try {
            measure(plan);
        } catch (IOException | IllegalStateException e) {
            System.err.println("The measurement has failed: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void measure(Plan plan) throws IOException, InterruptedException {
        System.out.println(plan);
        switch (plan.command()) {
            case "index" -> new IndexTrial(plan.objects()).report();
            case "timers" -> new TimerTrial(plan.objects(), plan.rounds()).report();
            case "devcluster" -> ServerTrial.run(plan);
            case "ceiling" -> ceiling(plan);
            default -> handlers(plan);
        }
    }

    /** In turns, so that what else the machine does hits both. */
    private static void ceiling(Plan plan) throws IOException, InterruptedException {
        Report.head();
        Contender loop = new Contender.BareLoop();
        Contender operator = new Contender.Framework(1, Lifecycle.IN_ORDER);
        AotCaches caches = AotCaches.make(plan, List.of(loop, operator));
        List<Figures> loops = new ArrayList<>();
        List<Figures> operators = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            if (round % 2 == 1) {
                loops.add(round(caches.applied(plan, loop), loop, round));
                operators.add(round(caches.applied(plan, operator), operator, round));
            } else {
                operators.add(round(caches.applied(plan, operator), operator, round));
                loops.add(round(caches.applied(plan, loop), loop, round));
            }
        }
        Report.line("**bare loop, median**", loops);
        Report.line("**operator, median**", operators);
        Report.ratio(loops, operators);
    }

    private static void handlers(Plan plan) throws IOException, InterruptedException {
        Report.head();
        AotCaches caches = AotCaches.make(plan, List.of(new Contender.Framework(1, Lifecycle.IN_ORDER)));
        for (int handlers : List.of(1, 3, 10)) {
            for (Lifecycle lifecycle : List.of(Lifecycle.IN_ORDER, Lifecycle.ASAP)) {
                Contender contender = new Contender.Framework(handlers, lifecycle);
                List<Figures> rounds = new ArrayList<>();
                for (int round = 1; round <= plan.rounds(); round++) {
                    rounds.add(Trial.run(caches.applied(plan, contender), contender));
                }
                Report.line(contender.title(), rounds);
            }
        }
    }

    private static Figures round(Plan plan, Contender contender, int round) throws IOException, InterruptedException {
        Figures figures = Trial.run(plan, contender);
        Report.line(contender.title() + ", round " + round, List.of(figures));
        return figures;
    }
}
