package dev.kopf4j.engine.simulation;

import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * A transport to a fake server that serves pods beside its own resource. Tests can hold back the list of pods, or
 * refuse it.
 */
public final class PodServer implements Transport {
    private final Platform platform;
    private final Transport rest;
    private final Monitor monitor;
    private final Map<String, ObjectNode> pods = new LinkedHashMap<>();
    private final List<PushedResponseStream> watches = new ArrayList<>();
    private boolean holding;
    private boolean forbidden;
    private int version = 1000;

    public PodServer(Platform platform, FakeApiServer rest) {
        this.platform = platform;
        this.rest = rest.transport(platform);
        this.monitor = platform.monitor();
    }

    /** Lists are not answered until they are released. */
    public PodServer hold() {
        holding = true;
        return this;
    }

    public void release() {
        monitor.locked(() -> {
            holding = false;
        });
    }

    /** Lists are refused from now on, or not any more. */
    public void forbid(boolean refused) {
        this.forbidden = refused;
    }

    public void add(String name, String node) {
        boolean known = pods.containsKey(name);
        ObjectNode pod = Scenario.json("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" + name
                + "','namespace':'ns','uid':'uid-" + name + "'},'spec':{'nodeName':'" + node + "'}}");
        pod.withObject("/metadata").put("resourceVersion", Integer.toString(version++));
        pods.put(name, pod);
        tell(known ? "MODIFIED" : "ADDED", pod);
    }

    public void remove(String name) {
        ObjectNode pod = pods.remove(name);
        if (pod != null) {
            tell("DELETED", pod);
        }
    }

    /** Nobody is told that the pod is gone. */
    public void vanish(String name) {
        pods.remove(name);
    }

    /** Watches end, and the next one is told that its version is too old: everything is listed anew. */
    public void disconnect() {
        List<PushedResponseStream> ended = List.copyOf(watches);
        watches.clear();
        ObjectNode event = Scenario.json("{'type':'ERROR','object':{'kind':'Status','code':410,'reason':'Expired'}}");
        ended.forEach(stream -> feed(stream, event));
        ended.forEach(PushedResponseStream::end);
    }

    private void tell(String type, ObjectNode pod) {
        ObjectNode event = Json.object().put("type", type);
        event.set("object", pod);
        watches.forEach(stream -> feed(stream, event));
    }

    private static void feed(PushedResponseStream stream, ObjectNode event) {
        stream.feed(ByteBuffer.wrap((Json.text(event) + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public TransportResponse send(TransportRequest transportRequest, Deadline deadline)
            throws IOException, InterruptedException {
        if (transportRequest.path().equals("/api/v1")) {
            String resources =
                    "{'kind':'APIResourceList','groupVersion':'v1','resources':[{'name':'pods','singularName':'pod',"
                            + "'namespaced':true,'kind':'Pod','verbs':['list','watch','patch']}]}";
            return new TransportResponse(
                    200,
                    Map.of("Content-Type", List.of("application/json")),
                    resources.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        }
        return rest.send(transportRequest, deadline);
    }

    @Override
    public ResponseStream open(TransportRequest transportRequest, Deadline headersBy)
            throws IOException, InterruptedException {
        if (!transportRequest.path().startsWith("/api/v1/pods")) {
            return rest.open(transportRequest, headersBy);
        }
        PushedResponseStream stream = new PushedResponseStream(
                platform, forbidden ? 403 : 200, Map.of(), PushedResponseStream.ChunkProducer.NONE);
        if (transportRequest.isWatch() && !forbidden) {
            watches.add(stream);
            return new FakeApiServer.PlannedWatch(platform, transportRequest, stream, () -> watches.contains(stream));
        }
        monitor.awaitTrue(() -> !holding, Deadline.NEVER);
        ObjectNode list = forbidden
                ? Scenario.json("{'kind':'Status','code':403,'message':'pods is forbidden'}")
                : Scenario.json("{'kind':'PodList','metadata':{'resourceVersion':'" + version + "'}}");
        list.putArray("items").addAll(pods.values());
        stream.feed(ByteBuffer.wrap(Json.bytes(list)));
        stream.end();
        return stream;
    }

    @Override
    public void close() {
        rest.close();
    }
}
