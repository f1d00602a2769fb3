package dev.kopf4j.devcluster.strategy.core.service;

import java.util.concurrent.atomic.AtomicInteger;

/** Gives services their node ports; counts up, and does not check which ones are in use. Thread-safe. */
final class NodePortAllocator {
    /**
     * The lowest node port: {@code DefaultServiceNodePortRange} in {@code pkg/kubeapiserver/options/options.go}, v1.33.
     */
    static final int FIRST = 30000;

    /** The highest node port. */
    static final int LAST = 32767;

    private final AtomicInteger count = new AtomicInteger(FIRST + 100);

    int next() {
        return count.getAndIncrement();
    }
}
