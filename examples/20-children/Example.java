import dev.kopf4j.*;
import dev.kopf4j.crd.*;
import org.slf4j.Logger;

/** A website is a config map with its page, a deployment that serves it, and a service. */
class Example {
    @CustomResource(
            group = "kopf.dev",
            version = "v1",
            columns = {
                @PrinterColumn(name = "Ready", path = ".status.conditions[?(@.type==\"Ready\")].status"),
                @PrinterColumn(name = "Why", path = ".status.conditions[?(@.type==\"Ready\")].message")
            })
    record Website(WebsiteSpec spec) {}

    record WebsiteSpec(
            String html,
            @Schema(defaultValue = "nginx:1.29") String image,
            @Schema(defaultValue = "1", minimum = 0) int replicas) {}

    @OnReconcile(children = {"configmaps", "deployments.v1.apps", "services"})
    void children(Website website, Children children) {
        Child page = children.add("""
                apiVersion: v1
                kind: ConfigMap
                data: {index.html: "${spec.html}"}
                """);
        children.add("""
                apiVersion: apps/v1
                kind: Deployment
                spec:
                  replicas: ${spec.replicas}
                  selector: {matchLabels: {website: "${metadata.name}"}}
                  template:
                    metadata: {labels: {website: "${metadata.name}"}}
                    spec:
                      containers:
                        - name: web
                          image: ${spec.image}
                          ports: [{containerPort: 80}]
                          volumeMounts: [{name: page, mountPath: /usr/share/nginx/html}]
                      volumes: [{name: page, configMap: {name: "${metadata.name}"}}]
                """).after(page);
        children.add("""
                apiVersion: v1
                kind: Service
                spec: {selector: {website: "${metadata.name}"}, ports: [{port: 80}]}
                """);
    }

    @OnChild(parent = "websites", value = "deployments.v1.apps", field = "status.readyReplicas")
    void rollout(Body child, Reason reason, Logger logger) {
        logger.info("{}: {} replicas are ready", reason, child.status().getInt("readyReplicas", 0));
    }
}
