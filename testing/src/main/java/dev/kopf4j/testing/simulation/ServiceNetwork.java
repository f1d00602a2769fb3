package dev.kopf4j.testing.simulation;

import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.testing.recording.Recording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The way from operators to services outside of the cluster, with the faults that were laid. Confined. */
final class ServiceNetwork {
    private final Recording recording;
    private final Runnable carriedOut;
    private final List<Laid> laid = new ArrayList<>();

    /**
     * A network without faults.
     *
     * @param carriedOut is told that a service has done something
     */
    ServiceNetwork(Recording recording, Runnable carriedOut) {
        this.recording = recording;
        this.carriedOut = carriedOut;
    }

    private static final class Laid {
        private final FakeHttp.Fault fault;
        private int left;

        Laid(FakeHttp.Fault fault, int left) {
            this.fault = fault;
            this.left = left;
        }
    }

    /** Lays a fault for the call of that number from now. */
    void lay(FakeHttp.Fault fault, int number) {
        laid.add(new Laid(fault, number));
    }

    /** All will be well from now on. */
    void clear() {
        laid.clear();
    }

    /** The same machine, whose tasks reach services over this network. */
    Platform from(SimulatedPlatform machine, Platform platform) {
        return new Serviced(platform, new FromMachine(machine));
    }

    /** The way of one machine. */
    private final class FromMachine implements FakeHttp.Network {
        private final SimulatedPlatform machine;

        FromMachine(SimulatedPlatform machine) {
            this.machine = machine;
        }

        @Override
        public void travel(Duration latency) throws InterruptedException {
            machine.sleep(Duration.ofMillis(machine.random().nextLong(latency.toMillis() + 1)));
        }

        @Override
        public Optional<FakeHttp.Fault> draw(FakeHttp.Request request) {
            laid.forEach(each -> each.left--);
            List<Laid> hits = laid.stream().filter(each -> each.left == 0).toList();
            laid.removeAll(hits);
            Optional<FakeHttp.Fault> fault = hits.stream().findFirst().map(each -> each.fault);
            recording.noted(
                    "service",
                    request.method() + " " + request.path()
                            + fault.map(each -> ", fault: " + each.words()).orElse(""));
            return fault;
        }

        @Override
        public void kill() throws InterruptedException {
            machine.kill();
            machine.sleep(Duration.ZERO); // the task ends here
        }

        @Override
        public void carriedOut() {
            carriedOut.run();
        }
    }

    /** A machine whose tasks reach services. */
    private static final class Serviced extends ForwardingPlatform {
        private final FakeHttp.Network network;

        Serviced(Platform platform, FakeHttp.Network network) {
            super(platform);
            this.network = network;
        }

        @Override
        public Task spawn(String name, Runnable body) {
            return super.spawn(name, () -> FakeHttp.within(network, body));
        }
    }
}
