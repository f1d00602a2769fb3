package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.cluster.ClusterClient;
import dev.kopf4j.e2e.endurance.cluster.Polling;
import dev.kopf4j.e2e.endurance.cluster.TrialScene;
import dev.kopf4j.e2e.endurance.judgement.Forgettings;
import dev.kopf4j.e2e.endurance.judgement.Histories;
import dev.kopf4j.e2e.endurance.judgement.Judgement;
import dev.kopf4j.e2e.endurance.judgement.Observer;
import dev.kopf4j.e2e.endurance.process.Credentials;
import dev.kopf4j.e2e.endurance.process.DevServer;
import dev.kopf4j.e2e.endurance.process.ForeignServer;
import dev.kopf4j.e2e.endurance.process.OperatorProcess;
import dev.kopf4j.e2e.endurance.process.ProbeWatch;
import dev.kopf4j.e2e.endurance.process.TrialServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One run: sets everything up, changes objects and disturbs, waits until nothing is left to be done, and judges. */
final class Endurance {
    private static final Duration START = Duration.ofMinutes(1);
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final EndurancePlan plan;
    private final Diary diary;

    private Endurance(EndurancePlan plan, Diary diary) {
        this.plan = plan;
        this.diary = diary;
    }

    /** Runs a plan; all processes have ended when this returns. */
    static EnduranceResult run(EndurancePlan plan, Diary diary) {
        return new Endurance(plan, diary).run();
    }

    private EnduranceResult run() {
        try (TrialServer server = server();
                ClusterClient client = ClusterClient.by(server.kubeconfig())) {
            TrialScene objects = new TrialScene(client);
            objects.setUp();
            try {
                return runIn(server, client, objects);
            } finally {
                objects.tidyUp();
            }
        }
    }

    private TrialServer server() {
        return plan.cluster()
                .<TrialServer>map(each -> new ForeignServer(each.kubeconfig(), each.freezing(), each.dying()))
                .orElseGet(() -> new DevServer(plan.paths().folder()));
    }

    private EnduranceResult runIn(TrialServer server, ClusterClient client, TrialScene objects) {
        Credentials credentials = new Credentials(
                plan.paths().folder(), client.config(), objects.account().token());
        List<OperatorProcess> operators = new ArrayList<>();
        try {
            for (int number = 1; number <= plan.load().replicas(); number++) {
                operators.add(new OperatorProcess(
                        "operator-" + number,
                        plan.paths().program(),
                        plan.paths().folder(),
                        start -> kubeconfig(credentials, start),
                        plan.load().replicas() > 1));
            }
            return runWith(new Scene(server, client, objects, credentials, operators, new Histories()));
        } finally {
            operators.forEach(OperatorProcess::close);
        }
    }

    private Path kubeconfig(Credentials credentials, int start) {
        return switch (plan.login()) {
            case FILE -> credentials.kubeconfig(false);
            case EXEC -> credentials.kubeconfig(true);
            case BOTH -> credentials.kubeconfig(start % 2 == 0);
        };
    }

    private EnduranceResult runWith(Scene scene) {
        OperatorProcess watched = scene.operators().getFirst();
        Disturber disturber = new Disturber(plan, scene, diary);
        try (var _ = Observer.of(scene.client(), scene.histories());
                ProbeWatch probes = new ProbeWatch(
                        watched::address, change -> diary.tell("    " + watched.title() + ": " + change))) {
            try (Load load = new Load(scene.client(), plan)) {
                Polling.waits(START, () -> load.isPopulated() && probes.wasReady());
                disturber.run();
            }
            diary.tell("the load has ended; waiting until nothing is left to be done");
            boolean settled = Polling.waits(EndurancePlan.PATIENCE, () -> {
                disturber.restartWhatHasEnded();
                return scene.histories().unsettled().isEmpty();
            });
            Polling.waits(QUIET, () -> false);
            boolean graceful = end(scene.operators());
            diary.tell(settled ? "settled" : "NOT SETTLED: " + scene.histories().unsettled());
            return new EnduranceResult(
                    Judgement.of(
                            scene.histories(),
                            OperatorProcess.calls(plan.paths().folder()),
                            forgettings(scene)),
                    disturber.done(),
                    scene.histories().seen(),
                    scene.histories().unsettled(),
                    scene.histories().beingDeleted(),
                    scene.server().patches(),
                    new EnduranceResult.Processes(
                            scene.credentials().pluginRuns(),
                            probes.dead(),
                            scene.operators().stream()
                                    .mapToInt(operator -> operator.starts().size())
                                    .sum(),
                            disturber.ended(),
                            graceful));
        }
    }

    /** Replicas that are elected may step down at any time. */
    private Forgettings forgettings(Scene scene) {
        return plan.load().replicas() > 1
                ? Forgettings.atAnyTime()
                : Forgettings.at(scene.operators().getFirst().starts());
    }

    /** Whether all have stopped in order when they were asked to. */
    private static boolean end(List<OperatorProcess> operators) {
        return operators.stream().map(operator -> operator.process().terminate()).toList().stream()
                .allMatch(status -> status == 0);
    }
}
