import dev.kopf4j.*;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;

/** Tells which pods run on the node that an object asks for, and which run at all, without asking the cluster. */
class Example {
    record Pod(String namespace, String name) {}

    record Label(String key, String value) {}

    @OnIndex(value = "pods", field = "spec.nodeName") // pods without a node are not in the index
    Map<String, Pod> podsByNode(@Field("spec.nodeName") String node, String namespace, String name) {
        return Map.of(node, new Pod(namespace, name));
    }

    @OnIndex("pods")
    Map<Pod, Boolean> isRunning(String namespace, String name, Status status) {
        return Map.of(new Pod(namespace, name), status.getString("phase", "").equals("Running")); // records are good keys
    }

    @OnIndex("pods")
    Map<Label, String> podsByLabel(Map<String, String> labels, String name) {
        Map<Label, String> named = new HashMap<>();
        labels.forEach((key, value) -> named.put(new Label(key, value), name));
        return named;
    }

    @OnProbe
    int podCount(Index<Pod, Boolean> isRunning) {
        return isRunning.size();
    }

    @OnProbe
    List<String> podNames(Index<Pod, Boolean> isRunning) {
        return isRunning.keySet().stream().map(Pod::name).sorted().toList();
    }

    @OnTimer(value = "kopfexamples", interval = "5s")
    void tellRunningPods(Index<Pod, Boolean> isRunning, Index<Label, String> podsByLabel, Patch patch, Logger logger) {
        List<String> running = isRunning.keySet().stream()
                .filter(pod -> isRunning.store(pod).first().orElse(false))
                .map(pod -> pod.namespace() + "::" + pod.name())
                .sorted()
                .toList();
        patch.status().set("running-pods", running);
        logger.info("Pods by labels: {}", podsByLabel);
    }

    @OnEvent("kopfexamples")
    void pinged(Memo memo) {
        memo.update("events", 0, n -> n + 1); // one memo for all handlers of this object
    }

    @OnCreate("kopfexamples")
    @OnUpdate("kopfexamples")
    Map<String, Object> report(@Field("spec.node") String node, Index<String, Pod> podsByNode, Memo memo, Logger logger) {
        if (node == null) {
            return null;
        }
        List<String> found = podsByNode.store(node).stream().map(Pod::name).sorted().toList();
        logger.info("{} runs {}", node, found);
        return Map.of("pods", found, "events", memo.get("events", Integer.class).orElse(0));
    }
}
