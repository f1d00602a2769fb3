package dev.kopf4j.testing.environment;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.ClusterAccess;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.testing.recording.Recording;
import dev.kopf4j.testing.recording.RecordingPlatform;

/** The threads and the clock of this JVM, and the operators that live there. Thread-safe. */
final class RealTime {
    private final Platform platform = new SystemPlatform();
    private final Recording recording = new Recording(platform);

    Platform platform() {
        return platform;
    }

    Recording recording() {
        return recording;
    }

    /** An operator whose work is recorded; the builder says where its cluster is. */
    Operator assemble(OperatorBuilder builder) {
        return assemble(OperatorPlan.of(builder));
    }

    /** The same; the plan says where its cluster is. */
    Operator assemble(OperatorPlan plan) {
        RecordingPlatform machine = new RecordingPlatform(platform, recording);
        ClusterAccess planned = ClusterAccess.of(plan, machine);
        ConnectionInfo given = plan.login().connection();
        ClusterAccess access = given == null ? planned : new GivenLogins(planned, given);
        return OperatorAssembly.assemble(plan, new OperatorEnvironment(machine, access, recording));
    }

    /** Why operators do not die here as by SIGKILL. */
    static UnsupportedOperationException cannotBeKilled() {
        return new UnsupportedOperationException(
                "an operator in real time cannot be killed without the test; use time = VIRTUAL");
    }
}
