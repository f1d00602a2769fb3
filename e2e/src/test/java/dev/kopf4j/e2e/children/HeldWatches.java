package dev.kopf4j.e2e.children;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Holds back the events of watches, as a slow server does. Confined to the simulation. */
final class HeldWatches {
    private final List<HeldStream> streams = new ArrayList<>();
    private String held = "";

    /** From now on, watches of that resource tell nothing. */
    void hold(String plural) {
        held = plural;
    }

    /** They tell everything that they have not told. */
    void release() {
        held = "";
        streams.forEach(stream -> stream.signal.run());
    }

    /** They end, and never tell what was held back. */
    void cut() {
        held = "";
        streams.forEach(HeldStream::cut);
    }

    ApiResponse holding(ApiRequest request, ApiResponse response) {
        if (!(response.body() instanceof ApiResponse.Events(WatchStream events))) {
            return response;
        }
        HeldStream stream = new HeldStream(request.path(), events);
        streams.add(stream);
        return new ApiResponse(
                response.status(),
                response.contentType(),
                response.headers(),
                new ApiResponse.Events(stream),
                response.delay());
    }

    private final class HeldStream implements WatchStream {
        private final String path;
        private final WatchStream events;
        private Runnable signal = () -> {};
        private boolean cut;

        HeldStream(String path, WatchStream events) {
            this.path = path;
            this.events = events;
        }

        void cut() {
            cut = true;
            signal.run();
        }

        @Override
        public void onSignal(Runnable newSignal) {
            signal = newSignal;
            events.onSignal(newSignal);
        }

        @Override
        public Optional<byte[]> take() {
            return cut || (!held.isEmpty() && path.endsWith("/" + held)) ? Optional.empty() : events.take();
        }

        @Override
        public boolean ended() {
            return cut || events.ended();
        }

        @Override
        public void close() {
            events.close();
        }
    }
}
