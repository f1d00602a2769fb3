package {{package}};

import dev.kopf4j.Children;
import dev.kopf4j.OnReconcile;
import dev.kopf4j.Operator;
import java.util.Map;

/** Each {{Kind}} has a config map of its name with its greeting, which comes back if somebody deletes or changes it. */
public class {{Kind}}Operator {
    public static void main(String[] arguments) {
        Operator.builder()
                .handlers({{Kind}}Operator.class)
                .clusterwide()
                .liveness("http://0.0.0.0:8080/healthz")
                .readiness("http://0.0.0.0:8080/ready")
                .build()
                .run();
    }

    @OnReconcile(children = "configmaps")
    void children({{Kind}} object, String name, Children children) {
        String text = object.spec().greeting() + ", " + name + "!";
        children.add(Map.of("apiVersion", "v1", "kind", "ConfigMap", "data", Map.of("text", text)));
    }
}
