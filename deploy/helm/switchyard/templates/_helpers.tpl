{{- define "switchyard.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "switchyard.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}{{- end -}}
{{- end -}}

{{- /* What a role's pods are found by; never changes. */ -}}
{{- define "switchyard.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- define "switchyard.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{ include "switchyard.selector" . }}
{{- end -}}

{{- define "switchyard.image" -}}
{{- $repository := required "image.repository is required: your registry's name for the image" .Values.image.repository -}}
{{- if .Values.image.digest -}}{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{- end -}}
{{- end -}}

{{- define "switchyard.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "switchyard.fullname" .) -}}
{{- end -}}

{{- /* Files of all pods, or a bucket. */ -}}
{{- define "switchyard.hasBucket" -}}
{{- if or (hasKey .Values.settings "FILES_BUCKET") (hasKey .Values.secretSettings "FILES_BUCKET") }}true{{ end -}}
{{- end -}}

{{- define "switchyard.vaultUrl" -}}
http://{{ include "switchyard.fullname" . }}-vault:8090
{{- end -}}

{{- /* The settings of API and worker: their own first, then what the operator says; the chart's are refused there. */ -}}
{{- define "switchyard.env" -}}
{{- $values := .root.Values -}}
{{- $own := dict "ROLE" .role "MODE" $values.mode "HOST" "0.0.0.0" "PORT" "8080" "METRICS_HOST" "0.0.0.0" "METRICS_PORT" (toString $values.metrics.port) "PUBLIC_URL" (required "publicUrl is required: under which address customers reach the service" $values.publicUrl) "ADMIN_API_KEY_FILE" "/run/secrets/switchyard/admin_key" -}}
{{- if not (include "switchyard.hasBucket" .root) -}}{{- $_ := set $own "FILES_FOLDER" "/files" -}}{{- end -}}
{{- if $values.vault.enabled -}}
{{- $_ := set $own "VAULT_URL" (include "switchyard.vaultUrl" .root) -}}
{{- $_ := set $own "VAULT_IDENTITY" "/run/secrets/switchyard/service.json" -}}
{{- end -}}
{{- $_ := set $own "KEY_FILE" "/run/secrets/switchyard/keys.json" -}}
{{- if and (eq .role "api") (ne (toString $values.api.processes) "1") -}}{{- $_ := set $own "PROCESSES" (toString $values.api.processes) -}}{{- end -}}
{{- $refs := dict "DATABASE_URL" $values.secrets.database -}}
{{- if $values.metrics.token.name -}}{{- $_ := set $refs "METRICS_TOKEN" $values.metrics.token -}}{{- end -}}
{{- range $name, $value := $values.settings -}}
{{- if or (hasKey $own $name) (hasKey $refs $name) }}{{ fail (printf "settings.%s: the chart sets it; see values.yaml for where" $name) }}{{ end -}}
{{- $_ := set $own $name (toString $value) -}}
{{- end -}}
{{- range $name, $ref := $values.secretSettings -}}
{{- if or (hasKey $own $name) (hasKey $refs $name) }}{{ fail (printf "secretSettings.%s: it is set elsewhere" $name) }}{{ end -}}
{{- $_ := set $refs $name $ref -}}
{{- end -}}
{{- range $name := keys $own | sortAlpha }}
- name: {{ $name }}
  value: {{ get $own $name | quote }}
{{- end }}
{{- range $name := keys $refs | sortAlpha }}
{{- $ref := get $refs $name }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: { name: {{ $ref.name | quote }}, key: {{ $ref.key | quote }} }
{{- end }}
{{- end -}}

{{- define "switchyard.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "switchyard.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- /* Pods of a role on different nodes, where there are such. */ -}}
{{- define "switchyard.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "switchyard.selector" . | nindent 6 }}
{{- end -}}

{{- define "switchyard.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
