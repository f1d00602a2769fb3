import dev.kopf4j.*;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;

/** Tells which pods run on the node that an object asks for, without asking the cluster. */
class Example {
    record Pod(String namespace, String name) {}

    @OnIndex(value = "pods", field = "spec.nodeName") // pods without a node are not in the index
    Map<String, Pod> podsByNode(@Field("spec.nodeName") String node, String namespace, String name) {
        return Map.of(node, new Pod(namespace, name));
    }

    @OnIndex("pods")
    Map<Pod, List<String>> images(String namespace, String name, Body body) {
        List<String> images = body.getList("spec.containers").stream()
                .map(container -> String.valueOf(((Map<?, ?>) container).get("image")))
                .toList();
        return Map.of(new Pod(namespace, name), images); // a record is a good key
    }

    @OnEvent("kopfexamples")
    void pinged(Memo memo) {
        memo.update("events", 0, n -> n + 1); // one memo for all handlers of this object
    }

    @OnCreate("kopfexamples")
    @OnUpdate("kopfexamples")
    Map<String, Object> report(
            @Field("spec.node") String node,
            Index<String, Pod> podsByNode,
            Index<Pod, List<String>> images,
            Memo memo,
            Logger logger) {
        if (node == null) {
            return null;
        }
        List<String> found = podsByNode.store(node).stream().map(Pod::name).sorted().toList();
        podsByNode.store(node).forEach(pod -> logger.info("{} runs {}", pod, images.store(pod).first().orElse(List.of())));
        return Map.of("pods", found, "events", memo.get("events", Integer.class).orElse(0));
    }
}
