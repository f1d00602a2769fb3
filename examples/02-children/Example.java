import dev.kopf4j.*;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;

class Example {
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            spec:
              containers:
              - name: the-only-one
                image: busybox
                command: ["sh", "-x", "-c"]
                args: ['echo "FIELD=$FIELD"; sleep "$DURATION"']
            """;

    @OnCreate("kopfexamples")
    Map<String, Object> createFn(Spec spec, String name, String uid, KubernetesClient client) {
        Pod pod = (Pod) client.resource(POD).item();
        pod.getSpec()
                .getContainers()
                .getFirst()
                .setEnv(List.of(
                        variable("FIELD", spec.getString("field", "default-value")),
                        variable("DURATION", spec.getString("duration", "0"))));
        Kopf.harmonizeNaming(pod, name + "-" + uid.substring(0, 8), o -> o.strict()); // the same at each attempt
        Kopf.adopt(pod); // its namespace, its labels, and its owner: it is deleted with the object
        pod = client.resource(pod).serverSideApply();
        return Map.of("children", List.of(pod.getMetadata().getUid())); // goes to status.createFn
    }

    private static EnvVar variable(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }
}
