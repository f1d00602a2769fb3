package dev.kopf4j.e2e.endurance;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Lets the server be silent, end, or refuse the operators' credentials for a while. */
final class ServerDisturbances {
    private final Scene scene;
    private final Diary diary;
    private final RandomTimes times;

    ServerDisturbances(Scene scene, Diary diary, RandomTimes times) {
        this.scene = scene;
        this.diary = diary;
        this.times = times;
    }

    void silence() {
        Duration time = times.length(500, 15_000);
        diary.tell("silence the server for " + time.toMillis() + " ms");
        scene.server().freeze();
        LockSupport.parkNanos(time.toNanos());
        scene.server().thaw();
    }

    void outage() {
        Duration time = times.length(0, 12_000);
        diary.tell("kill the server, start it after " + time.toMillis() + " ms");
        scene.server().kill();
        LockSupport.parkNanos(time.toNanos());
        scene.server().start();
    }

    void rotate() {
        long runs = scene.credentials().pluginRuns();
        Duration time = times.length(0, 4_000);
        scene.objects().account().replace();
        LockSupport.parkNanos(time.toNanos());
        scene.credentials().replace(scene.objects().account().token());
        times.pause(2_000, 4_000);
        diary.tell("the credentials were refused, and replaced " + time.toMillis()
                + " ms later; since then the plugin was run "
                + (scene.credentials().pluginRuns() - runs) + " times");
    }
}
