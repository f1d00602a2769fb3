import dev.kopf4j.*;
import dev.kopf4j.crd.*;
import java.util.List;
import java.util.Map;

/** Each {{Kind}} has a config map of its name with its greeting, which comes back if somebody deletes or changes it. */
class {{Kind}}Operator {
    @CustomResource(group = "{{apiGroup}}", version = "v1")
    record {{Kind}}({{Kind}}Spec spec, {{Kind}}Status status) {}

    record {{Kind}}Spec(@Schema(defaultValue = "Hello", minLength = 1) String greeting) {}

    record {{Kind}}Status(@Schema(listMapKeys = "type") List<Condition> conditions) {}

    @OnReconcile(children = "configmaps")
    void children({{Kind}} object, String name, Children children) {
        String text = object.spec().greeting() + ", " + name + "!";
        children.add(Map.of("apiVersion", "v1", "kind", "ConfigMap", "data", Map.of("text", text)));
    }
}
