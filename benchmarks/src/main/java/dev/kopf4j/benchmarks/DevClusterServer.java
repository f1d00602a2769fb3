package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.ServerAddress;
import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.RequestCount;
import dev.kopf4j.benchmarks.process.SecuredClusterProcess;
import java.util.List;

/** A dev cluster in a process of its own. */
final class DevClusterServer implements MeasuredServer {
    private static final List<String> OPTIONS = List.of("-Xmx1g", "-XX:+UseSerialGC");

    private final ChildProcess process;
    private final ServerAddress address;

    DevClusterServer(boolean statusSubresource) {
        this.process = ChildProcess.start(SecuredClusterProcess.class, OPTIONS, Boolean.toString(statusSubresource));
        this.address = ServerAddress.parse(process.line());
    }

    @Override
    public ServerAddress address() {
        return address;
    }

    @Override
    public long patches() {
        return RequestCount.sum(process.ask("count"), "PATCH");
    }

    @Override
    public void close() {
        process.close();
    }
}
